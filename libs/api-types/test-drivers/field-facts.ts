import type { FieldDefinition, ListFieldType, MessageType } from '../definitions/message-type.ts';
import { text } from '../descriptors/build-messages.ts';
import type { ProtoField, ProtoMessage } from '../descriptors/proto-message.ts';

/** A field as declared in a proto file and as defined in the server. */
interface DefinedField {
  readonly declared: ProtoField;
  readonly definition: FieldDefinition;
  readonly message: ProtoMessage;
}

/** Returns package and name of a message in the notation of the fixtures: `apps.v1.Deployment`. */
export function messageKey({ package: packageName, name }: ProtoMessage): string {
  return `${packageName}.${name}`;
}

/**
 * Returns the properties of a message in the notation of the fixtures: whether it has apiVersion and kind, its struct type, its
 * JSON form.
 */
export function messageFact(declared: ProtoMessage, { typeMeta, structType }: MessageType): string {
  return [
    typeMeta && 'typeMeta',
    structType !== 'granular' && `struct=${structType}`,
    text(declared.options, 'json_form') !== undefined && 'ownJson',
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Returns the properties of a field in the notation of the fixtures: JSON name (and a different proto name), number, proto type,
 * presence, list and map types, patch strategy, closed set of values and default.
 */
export function fieldFact(field: DefinedField): string {
  const { declared, definition, message } = field;
  const { name, number, pointer } = definition;
  const ownJson = text(message.options, 'json_form') !== undefined;
  const protoName = declared.name === name ? '' : `(${declared.name})`;
  return [
    `${name}${protoName}`,
    number,
    protoTypeFact(field),
    ...(ownJson ? ['noJson'] : presenceFacts(definition)),
    pointer && 'pointer',
    ...combinationFacts(field),
    ...patchFacts(definition),
    definition.enumValues && `enum=${[...definition.enumValues].sort().join('|')}`,
    definition.default !== undefined && `default=${JSON.stringify(definition.default)}`,
  ]
    .filter(fact => fact !== false && fact !== undefined)
    .join(' ');
}

/** Inlined, required or optional, and whether it is always in JSON output. */
function presenceFacts({ required, alwaysPresent, inline }: FieldDefinition): string[] {
  if (inline) return ['inline'];
  if (required) return [];
  return alwaysPresent ? ['optional', 'always'] : ['optional'];
}

function protoTypeFact({ declared: { type, label }, message }: DefinedField): string {
  const isScalar = /^(string|bool|bytes|int32|int64|double)$/.test(type);
  const element = isScalar || type.includes('.') ? type : `${message.package}.${type}`;
  return { single: element, repeated: `[]${element}`, map: `map:${element}` }[label];
}

/** List, map or struct type, if it differs from the default of the type. */
function combinationFacts({ definition: { type, structType }, declared }: DefinedField): string[] {
  const facts: string[] = [];
  if (type.kind === 'list' && declared.label === 'repeated' && declared.options['list_type'] !== undefined)
    facts.push(listFact(type));
  if (type.kind === 'map' && type.mapType !== 'granular') facts.push(`map=${type.mapType}`);
  if (structType !== undefined) facts.push(`struct=${structType}`);
  return facts;
}

function listFact({ listType, mapKeys }: ListFieldType): string {
  return `list=${listType}${mapKeys.length > 0 ? `(${mapKeys.join()})` : ''}`;
}

function patchFacts({ patchStrategy, patchMergeKey }: FieldDefinition): string[] {
  if (patchStrategy.length === 0) return [];
  return [`patch=${patchStrategy.join()}${patchMergeKey === undefined ? '' : `(${patchMergeKey})`}`];
}
