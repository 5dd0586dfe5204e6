import type { FieldType, MessageType, PatchStrategy } from '@binnacle/api-types';

/** Type and patch strategy of a value for strategic merge; without a type the value is free-form. */
export interface PatchNode {
  readonly type: FieldType | undefined;
  readonly strategy: readonly PatchStrategy[];
  readonly mergeKey: string | undefined;
}

/** A value without a schema. */
const freeForm: PatchNode = { type: undefined, strategy: [], mergeKey: undefined };

/** Returns the node of a whole object. */
export function rootNode(message: MessageType): PatchNode {
  return { type: { kind: 'message', message }, strategy: [], mergeKey: undefined };
}

/** Returns the node of a member: a field of a message or an entry of a map. */
export function memberNode(node: PatchNode, key: string): PatchNode {
  const { type } = node;
  if (type?.kind === 'map') return { type: type.value, strategy: [], mergeKey: undefined };
  const field = type?.kind === 'message' ? type.message.fields.get(key) : undefined;
  if (field === undefined) return freeForm;
  return { type: field.type, strategy: field.patchStrategy, mergeKey: field.patchMergeKey };
}

/** Returns the node of the elements of a list. */
export function elementNode(node: PatchNode): PatchNode {
  return node.type?.kind === 'list'
    ? { type: node.type.element, strategy: [], mergeKey: undefined }
    : freeForm;
}
