import type { FieldDefinition, FieldType, MessageType, PatchStrategy, ScalarType } from '@binnacle/api-types';

/** A type as a file of strategic merge cases writes it: its fields by name. */
export type MergeSchema = Readonly<Record<string, MergeField>>;

/** A field as such a file writes it. */
interface MergeField {
  readonly type: string;
  /** The element type of an array: the name of a type, or of a scalar. */
  readonly items?: string;
  /** The value type of a map: the name of a scalar. */
  readonly values?: string;
  /** Several are separated by commas. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

const scalars: Readonly<Record<string, ScalarType>> = {
  string: 'string',
  integer: 'int64',
  number: 'double',
  boolean: 'bool',
  'free-form object': 'json',
};

/** Makes message types of the types of such a file; types may contain themselves and each other. */
export function messagesFromSchemas(
  schemas: Readonly<Record<string, MergeSchema>>,
): ReadonlyMap<string, MessageType> {
  const fields = new Map<string, Map<string, FieldDefinition>>();
  const messages = new Map<string, MessageType>();
  for (const name of Object.keys(schemas)) {
    const own = new Map<string, FieldDefinition>();
    fields.set(name, own);
    messages.set(name, { name, fullName: name, fields: own, ...plainMessage });
  }
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [field, declared] of Object.entries(schema))
      fields.get(name)?.set(field, createField(field, declared, messages));
  }
  return messages;
}

const plainMessage = { wireFields: [], typeMeta: false, structType: 'granular', description: '' } as const;
const plainField = { required: false, mustBeSet: false, immutable: false, alwaysPresent: false };

function createField(
  name: string,
  declared: MergeField,
  messages: ReadonlyMap<string, MessageType>,
): FieldDefinition {
  const { patchStrategy = '', patchMergeKey } = declared;
  return {
    ...{ ...plainField, name, number: 1, pointer: false, inline: false, description: '' },
    type: typeFromField(declared, messages),
    patchStrategy: patchStrategy.split(',').filter(isStrategy),
    ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
  };
}

function typeFromField(declared: MergeField, messages: ReadonlyMap<string, MessageType>): FieldType {
  const { type, items = type, values = '', patchMergeKey } = declared;
  // A field with a merge key is a list, even where only the type of its elements is named.
  if (type === 'array' || patchMergeKey !== undefined)
    return { kind: 'list', element: namedType(items, messages), listType: 'atomic', mapKeys: [] };
  if (type === 'map') return { kind: 'map', value: namedType(values, messages), mapType: 'granular' };
  return namedType(type, messages);
}

function namedType(name: string, messages: ReadonlyMap<string, MessageType>): FieldType {
  const message = messages.get(name);
  if (message !== undefined) return { kind: 'message', message };
  const scalar = scalars[name];
  if (scalar === undefined) throw new Error(`${JSON.stringify(name)} is no type`);
  return { kind: 'scalar', scalar };
}

function isStrategy(text: string): text is PatchStrategy {
  return text === 'merge' || text === 'replace' || text === 'retainKeys';
}
