import { extensions } from '@binnacle/api-names';
import { readJson } from '@binnacle/api-objects';
import type {
  FieldDefinition,
  FieldType,
  ListType,
  MapType,
  MessageType,
  PatchStrategy,
  ScalarType,
} from '../definitions/message-type.ts';
import type { OptionValues, ProtoField, ProtoMessage } from './proto-message.ts';

const wireScalars = new Set(['string', 'bool', 'int32', 'int64', 'double', 'bytes']);

/** A message under construction: it can be referenced before its fields are built, because messages can be recursive. */
interface MessageUnderConstruction extends MessageType {
  readonly fields: Map<string, FieldDefinition>;
  readonly wireFields: FieldDefinition[];
}

/** A declared message and its definition. */
interface Construction {
  readonly declared: ProtoMessage;
  readonly message: MessageUnderConstruction;
}

/** Finds the message of a type name in a package. */
type Lookup = (packageName: string, type: string) => Construction;

/** Converts the messages of proto files to definitions, by full name; throws for a field of an unknown type. */
export function buildMessages(declarations: readonly ProtoMessage[]): ReadonlyMap<string, MessageType> {
  const constructions = new Map<string, Construction>();
  for (const declared of declarations) {
    const name = fullMessageName(declared);
    if (constructions.has(name)) throw new Error(`${name} is defined twice`);
    constructions.set(name, { declared, message: startMessage(declared) });
  }
  const lookup: Lookup = (packageName, type) => {
    const found = constructions.get(type.includes('.') ? type : `${packageName}.${type}`);
    if (found === undefined) throw new Error(`${packageName} names a message that is not defined: ${type}`);
    return found;
  };
  for (const { declared, message } of constructions.values()) {
    for (const field of declared.fields)
      message.wireFields.push(fieldDefinition(field, declared.package, lookup));
    Object.freeze(message.wireFields);
  }
  const messages = new Map<string, MessageType>();
  for (const [name, { message }] of constructions) {
    flattenInto(message.fields, message);
    messages.set(name, Object.freeze(message));
  }
  return messages;
}

function fullMessageName(declared: ProtoMessage): string {
  return `${declared.package}.${declared.name}`;
}

function startMessage(declared: ProtoMessage): MessageUnderConstruction {
  const { name, options, description } = declared;
  const scalar = readScalarForm(declared);
  return {
    name,
    fullName: fullMessageName(declared),
    fields: new Map(),
    wireFields: [],
    typeMeta: flag(options, 'type_meta'),
    structType: (text(options, 'struct_type') ?? 'granular') as MapType, // the options file names the values
    ...(scalar !== undefined && { scalar }),
    description,
  };
}

/** Returns the scalar type of a message that is a leaf value in JSON; undefined for objects and lists. */
function readScalarForm(declared: ProtoMessage): ScalarType | undefined {
  const form = text(declared.options, 'json_form');
  if (form === undefined || isStringList(declared)) return undefined;
  return form === 'alternatives' ? 'json' : (form as ScalarType); // the options file names the values
}

function isStringList({ options }: ProtoMessage): boolean {
  return text(options, 'json_form') === 'stringList';
}

function flattenInto(fields: Map<string, FieldDefinition>, message: MessageType): void {
  for (const field of message.wireFields) {
    if (field.inline && field.type.kind === 'message') flattenInto(fields, field.type.message);
    else fields.set(field.name, field);
  }
}

function fieldDefinition(field: ProtoField, packageName: string, lookup: Lookup): FieldDefinition {
  const { options } = field;
  const required = flag(options, 'required');
  const defaultJson = text(options, 'default_json');
  const enumValues = texts(options, 'enum_value');
  const mergeKey = text(options, 'patch_merge_key');
  const structType = text(options, 'field_struct_type');
  return Object.freeze({
    name: readJsonName(field),
    number: field.number,
    type: fieldType(field, packageName, lookup),
    required,
    mustBeSet: flag(options, 'must_be_set'),
    ...(defaultJson !== undefined && { default: readJson(defaultJson, false) }),
    ...(enumValues.length > 0 && { enumValues: Object.freeze(enumValues) }),
    ...(flag(options, 'enum_checked_by_rules') && { enumCheckedByRules: true as const }),
    ...(flag(options, 'keeps_empty') && { keepsEmpty: true as const }),
    immutable: flag(options, 'immutable'),
    alwaysPresent: required || flag(options, 'always_present'),
    pointer: flag(options, 'pointer'),
    patchStrategy: Object.freeze(texts(options, 'patch_strategy') as PatchStrategy[]),
    ...(mergeKey !== undefined && { patchMergeKey: mergeKey }),
    inline: flag(options, 'inline'),
    ...(structType !== undefined && { structType: structType as MapType }),
    description: field.description,
  });
}

/** Returns the JSON name of a field; schema extensions have the name of the vocabulary. */
function readJsonName({ name, options }: ProtoField): string {
  const key = text(options, 'extension');
  if (key === undefined) return text(options, 'json_name') ?? name;
  const extension = (extensions as Readonly<Record<string, string>>)[key]; // The option may be another key.
  if (extension === undefined) throw new Error(`libs/api-names has no extension ${key}`);
  return extension;
}

function fieldType(field: ProtoField, packageName: string, lookup: Lookup): FieldType {
  const element = elementType(field, packageName, lookup);
  switch (field.label) {
    case 'map': {
      const mapType = (text(field.options, 'map_type') ?? 'granular') as MapType;
      return Object.freeze({ kind: 'map', value: element, mapType });
    }
    case 'repeated':
      return Object.freeze({ kind: 'list', element, ...listFacts(field.options) });
    case 'single':
      return element;
  }
}

/** By default a list that strategic merge patch merges is a map by its merge key, or a set without one. */
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

function elementType({ type }: ProtoField, packageName: string, lookup: Lookup): FieldType {
  if (wireScalars.has(type)) return { kind: 'scalar', scalar: type as ScalarType };
  const { declared, message } = lookup(packageName, type);
  const { scalar } = message;
  if (scalar === undefined) return isStringList(declared) ? stringList : { kind: 'message', message };
  const alternatives = text(declared.options, 'json_form') === 'alternatives';
  return { kind: 'scalar', scalar, message, ...(alternatives && { alternatives: message }) };
}

const stringList: FieldType = Object.freeze({
  kind: 'list',
  element: Object.freeze({ kind: 'scalar', scalar: 'string' }),
  listType: 'atomic',
  mapKeys: Object.freeze([]),
  wrapped: true,
});

/** Whether a boolean option is set. */
function flag(options: OptionValues, name: string): boolean {
  return options[name]?.[0] === true;
}

/** Returns the value of a text option; undefined if it is not set. */
export function text(options: OptionValues, name: string): string | undefined {
  const value = options[name]?.[0];
  return value === undefined ? undefined : String(value);
}

/** Returns all values of a repeated text option. */
function texts(options: OptionValues, name: string): string[] {
  return (options[name] ?? []).map(String);
}
