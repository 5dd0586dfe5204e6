import type { FieldType, MessageType, PatchStrategy } from '@binnacle/api-types';

/** The type of a value for strategic merge, and how a patch treats it. Without a type it is free-form. */
export interface PatchNode {
  readonly type: FieldType | undefined;
  readonly strategy: readonly PatchStrategy[];
  readonly mergeKey: string | undefined;
}

/** A value that no schema describes. */
const freeForm: PatchNode = { type: undefined, strategy: [], mergeKey: undefined };

/** The node of a whole object. */
export function rootNode(message: MessageType): PatchNode {
  return { type: { kind: 'message', message }, strategy: [], mergeKey: undefined };
}

/** The node of a member of an object, be it a field of a message or an entry of a map. */
export function memberNode(node: PatchNode, key: string): PatchNode {
  const { type } = node;
  if (type?.kind === 'map') return { type: type.value, strategy: [], mergeKey: undefined };
  const field = type?.kind === 'message' ? type.message.fields.get(key) : undefined;
  if (field === undefined) return freeForm;
  return { type: field.type, strategy: field.patchStrategy, mergeKey: field.patchMergeKey };
}

/** The node of the elements of a list. */
export function elementNode(node: PatchNode): PatchNode {
  return node.type?.kind === 'list'
    ? { type: node.type.element, strategy: [], mergeKey: undefined }
    : freeForm;
}
