import type { JsonValue } from '@binnacle/api-objects';
import protobuf from 'protobufjs';
import type {
  FieldDefinition,
  FieldType,
  ListType,
  MapType,
  MessageType,
  PatchStrategy,
  ScalarType,
} from '../definitions.ts';
import { flag, type OptionValues, readOptions, text, texts } from './options.ts';

const wireScalars = new Set(['string', 'bool', 'int32', 'int64', 'double', 'bytes']);

/** A message while it is built: the objects are handed out before their fields are known, because messages refer to each other. */
interface MessageUnderConstruction extends MessageType {
  readonly fields: Map<string, FieldDefinition>;
  readonly wireFields: FieldDefinition[];
}

/** Turns the messages of a protobufjs root into plain definitions, by full name without the leading dot. */
export function buildMessages(root: protobuf.Root): ReadonlyMap<string, MessageType> {
  const types = messageTypes(root);
  const messages = new Map(types.map(type => [fullNameOf(type), startMessage(type)]));
  for (const type of types) {
    const message = messages.get(fullNameOf(type))!; // made from the same list
    for (const field of type.fieldsArray) message.wireFields.push(fieldDefinition(field, messages));
    Object.freeze(message.wireFields);
  }
  for (const message of messages.values()) {
    flattenInto(message.fields, message);
    Object.freeze(message);
  }
  return messages;
}

/** All message types below the API package, those of google.protobuf left out. */
function messageTypes(parent: protobuf.NamespaceBase): protobuf.Type[] {
  return parent.nestedArray.flatMap(child => {
    if (child instanceof protobuf.Type) return [child];
    return child instanceof protobuf.Namespace && child.fullName !== '.google' ? messageTypes(child) : [];
  });
}

function fullNameOf(type: protobuf.ReflectionObject): string {
  return type.fullName.slice(1);
}

function startMessage(type: protobuf.Type): MessageUnderConstruction {
  const options = readOptions(type);
  return {
    name: type.name,
    fullName: fullNameOf(type),
    fields: new Map(),
    wireFields: [],
    typeMeta: flag(options, 'type_meta'),
    structType: (text(options, 'struct_type') ?? 'granular') as MapType, // the options file names the values
    description: descriptionOf(type),
  };
}

function flattenInto(fields: Map<string, FieldDefinition>, message: MessageType): void {
  for (const field of message.wireFields) {
    if (field.inline && field.type.kind === 'message') flattenInto(fields, field.type.message);
    else fields.set(field.name, field);
  }
}

function fieldDefinition(field: protobuf.Field, messages: ReadonlyMap<string, MessageType>): FieldDefinition {
  const options = readOptions(field);
  const required = flag(options, 'required');
  const defaultJson = text(options, 'default_json');
  const enumValues = texts(options, 'enum_value');
  const mergeKey = text(options, 'patch_merge_key');
  const structType = text(options, 'field_struct_type');
  return Object.freeze({
    name: text(options, 'json_name') ?? field.name,
    number: field.id,
    type: fieldType(field, options, messages),
    required,
    mustBeSet: flag(options, 'must_be_set'),
    ...(defaultJson !== undefined && { default: JSON.parse(defaultJson) as JsonValue }),
    ...(enumValues.length > 0 && { enumValues: Object.freeze(enumValues) }),
    immutable: flag(options, 'immutable'),
    alwaysPresent: required || flag(options, 'always_present'),
    pointer: flag(options, 'pointer'),
    patchStrategy: Object.freeze(texts(options, 'patch_strategy') as PatchStrategy[]),
    ...(mergeKey !== undefined && { patchMergeKey: mergeKey }),
    inline: flag(options, 'inline'),
    ...(structType !== undefined && { structType: structType as MapType }),
    description: descriptionOf(field),
  });
}

function fieldType(
  field: protobuf.Field,
  options: OptionValues,
  messages: ReadonlyMap<string, MessageType>,
): FieldType {
  const element = elementType(field, messages);
  if (field instanceof protobuf.MapField) {
    const mapType = (text(options, 'map_type') ?? 'granular') as MapType;
    return Object.freeze({ kind: 'map', value: element, mapType });
  }
  if (!field.repeated) return element;
  return Object.freeze({ kind: 'list', element, ...listFacts(options) });
}

/** An unmarked list that a strategic merge patch merges is a map by its merge key, or a set without one. */
function listFacts(options: OptionValues): { listType: ListType; mapKeys: readonly string[] } {
  const declared = text(options, 'list_type') as ListType | undefined;
  if (declared !== undefined)
    return { listType: declared, mapKeys: Object.freeze(texts(options, 'list_map_key')) };
  if (!texts(options, 'patch_strategy').includes('merge')) return { listType: 'atomic', mapKeys: [] };
  const mergeKey = text(options, 'patch_merge_key');
  return mergeKey === undefined
    ? { listType: 'set', mapKeys: [] }
    : { listType: 'map', mapKeys: Object.freeze([mergeKey]) };
}

function elementType(field: protobuf.Field, messages: ReadonlyMap<string, MessageType>): FieldType {
  if (wireScalars.has(field.type)) return { kind: 'scalar', scalar: field.type as ScalarType };
  const resolved = field.resolve().resolvedType;
  if (!(resolved instanceof protobuf.Type)) throw new Error(`${field.fullName}: no type for ${field.type}`);
  const form = text(readOptions(resolved), 'json_form');
  if (form === 'stringList') return stringList;
  if (form !== undefined) return { kind: 'scalar', scalar: form as ScalarType };
  return { kind: 'message', message: messages.get(fullNameOf(resolved))! }; // every type of the root is in it
}

const stringList: FieldType = Object.freeze({
  kind: 'list',
  element: Object.freeze({ kind: 'scalar', scalar: 'string' }),
  listType: 'atomic',
  mapKeys: Object.freeze([]),
  wrapped: true,
});

function descriptionOf(reflected: protobuf.ReflectionObject): string {
  return (reflected.comment ?? '').replace(/\s+/g, ' ').trim();
}
