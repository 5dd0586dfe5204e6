import { type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import type { FieldDefinition, FieldType, MessageType } from '@binnacle/api-types';
import { alternativesTo } from './alternatives.ts';
import { MalformedBytes, refuseMalformed } from './malformed-bytes.ts';
import { scalarReaders } from './value-readers.ts';
import { WireReader, wireType } from './wire-reader.ts';

/** Reads one occurrence of a field into its object. */
type FieldReader = (reader: WireReader, object: JsonObject, depth: number) => void;

type NestedReader = (reader: WireReader, depth: number) => JsonValue | undefined;

/** Readers of a message's fields, filled after registration because types can be recursive. */
interface MessageReader {
  /** By tag: field number times eight plus wire type. */
  readonly fields: Map<number, FieldReader>;
  /** By field number; '' for an inlined message. */
  readonly names: Map<number, string>;
  /** Fields that JSON contains even if the wire form omits them, with their zero values. */
  readonly alwaysPresent: { readonly name: string; readonly zero: () => JsonValue }[];
}

const depthLimit = 100;
const compiled = new WeakMap<MessageType, MessageReader>();

/** Decodes a protobuf message, without the envelope, to a JSON object; throws BadRequest for invalid bytes. */
export function decodeMessage(message: MessageType, bytes: Uint8Array): JsonObject {
  const reader = new WireReader(bytes);
  const object: JsonObject = {};
  refuseMalformed(() => readFields(compile(message), { reader, end: reader.end, depth: 1 }, object));
  return object;
}

interface Extent {
  readonly reader: WireReader;
  readonly end: number;
  readonly depth: number;
}

function readFields(message: MessageReader, extent: Extent, object: JsonObject): void {
  const { reader, end, depth } = extent;
  if (depth > depthLimit) throw new MalformedBytes(`it nests deeper than ${depthLimit} messages`);
  let tag = 0;
  try {
    while (reader.position < end) {
      tag = reader.tag();
      reader.countValues(1);
      const field = message.fields.get(tag);
      if (field === undefined) skipUnknown(message, reader, tag);
      else field(reader, object, depth);
    }
  } catch (error) {
    if (error instanceof MalformedBytes)
      error.within(...stepsTo(message.names.get(Math.floor(tag / 8)), object));
    throw error;
  }
  if (reader.position !== end) throw new MalformedBytes('a value exceeds its message');
  for (const { name, zero } of message.alwaysPresent) if (object[name] === undefined) object[name] = zero();
}

/** Skips an unknown field; refuses a known field with another wire type. */
function skipUnknown(message: MessageReader, reader: WireReader, tag: number): void {
  if (message.names.has(Math.floor(tag / 8)))
    throw new MalformedBytes(`wire type ${tag % 8} is not that of the field`);
  reader.skip(tag % 8);
}

/** Path from an object to the value that could not be read; fields of an inlined message belong to the object itself. */
function stepsTo(name: string | undefined, object: JsonObject): (string | number)[] {
  if (name === undefined || name === '') return [];
  const value = object[name];
  return Array.isArray(value) ? [name, value.length] : [name];
}

function compile(message: MessageType): MessageReader {
  const known = compiled.get(message);
  if (known !== undefined) return known;
  const reader: MessageReader = { fields: new Map(), names: new Map(), alwaysPresent: [] };
  compiled.set(message, reader);
  for (const field of message.wireFields) addField(reader, field);
  return reader;
}

function addField(message: MessageReader, field: FieldDefinition): void {
  const { name, number, type } = field;
  message.names.set(number, field.inline ? '' : name);
  message.fields.set(number * 8 + wireTypeOf(type), fieldReader(field));
  if (type.kind === 'list' && type.wrapped !== true && wireTypeOf(type.element) !== wireType.bytes) {
    message.fields.set(number * 8 + wireTypeOf(type.element), elementReader(name, type.element));
    message.fields.set(number * 8 + wireType.bytes, packedReader(name, type.element));
  }
  const zero = field.alwaysPresent && !field.pointer && !field.inline ? createZero(type) : undefined;
  if (zero !== undefined) message.alwaysPresent.push({ name, zero });
}

function fieldReader(field: FieldDefinition): FieldReader {
  const { name, type } = field;
  if (field.inline && type.kind === 'message') return inlineReader(type.message);
  switch (type.kind) {
    case 'list':
      return type.wrapped === true
        ? singleReader(name, nestedReader(type), undefined)
        : elementReader(name, type.element);
    case 'map':
      return mapReader(name, type.value);
    case 'message':
      return singleReader(name, nestedReader(type), undefined);
    case 'scalar': {
      const omitted = field.pointer || field.alwaysPresent ? undefined : scalarReaders[type.scalar].zero;
      return singleReader(name, nestedReader(type), omitted);
    }
  }
}

function singleReader(name: string, read: NestedReader, omitted: JsonValue | undefined): FieldReader {
  return (reader, object, depth) => {
    const value = read(reader, depth);
    if (value !== undefined && value !== omitted) object[name] = value;
  };
}

function inlineReader(message: MessageType): FieldReader {
  const inner = compile(message);
  return (reader, object, depth) => {
    readFields(inner, { reader, end: reader.nested(), depth: depth + 1 }, object);
  };
}

function elementReader(name: string, element: FieldType): FieldReader {
  const read = nestedReader(element);
  return (reader, object, depth) => {
    listAt(object, name).push(read(reader, depth) ?? null);
  };
}

function packedReader(name: string, element: FieldType): FieldReader {
  const read = nestedReader(element);
  return (reader, object, depth) => {
    const list = listAt(object, name);
    const end = reader.nested();
    while (reader.position < end) {
      reader.countValues(1);
      list.push(read(reader, depth) ?? null);
    }
    if (reader.position !== end) throw new MalformedBytes('a value exceeds its list');
  };
}

function mapReader(name: string, valueType: FieldType): FieldReader {
  const read = nestedReader(valueType);
  const zero = createZero(valueType);
  const valueTag = 16 + wireTypeOf(valueType);
  return (reader, object, depth) => {
    reader.countMapEntry();
    const end = reader.nested();
    let key = '';
    let value: JsonValue | undefined;
    for (let fields = 0; reader.position < end; fields++) {
      // The entry was counted as one value and normally has only a key and a value.
      if (fields > 1) reader.countValues(1);
      const tag = reader.tag();
      if (tag === 0x0a) key = reader.text();
      else if (tag === valueTag) value = read(reader, depth);
      else reader.skip(tag % 8);
    }
    if (reader.position !== end) throw new MalformedBytes('a value exceeds its map');
    object[name] ??= {};
    setOwnProperty(object[name] as JsonObject, key, value ?? zero?.() ?? null); // Written only by this reader.
  };
}

function nestedReader(type: FieldType): NestedReader {
  switch (type.kind) {
    case 'scalar':
      return type.alternatives === undefined
        ? scalarReaders[type.scalar].read
        : alternativesReader(type.alternatives);
    case 'message':
      return nestedMessageReader(type.message);
    case 'list':
      return wrappedListReader(type.element);
    case 'map':
      throw new Error('a map within a list or a map cannot be encoded');
  }
}

function nestedMessageReader(message: MessageType): (reader: WireReader, depth: number) => JsonObject {
  const inner = compile(message);
  return (reader, depth) => {
    const object: JsonObject = {};
    readFields(inner, { reader, end: reader.nested(), depth: depth + 1 }, object);
    return object;
  };
}

function alternativesReader(message: MessageType): NestedReader {
  const read = nestedMessageReader(message);
  const toValue = alternativesTo(message);
  return (reader, depth) => toValue(read(reader, depth));
}

function wrappedListReader(element: FieldType): NestedReader {
  const read = nestedReader(element);
  const elementTag = 8 + wireTypeOf(element);
  return (reader, depth) => {
    const list: JsonValue[] = [];
    const end = reader.nested();
    while (reader.position < end) {
      reader.countValues(1);
      const tag = reader.tag();
      if (tag === elementTag) list.push(read(reader, depth) ?? null);
      else reader.skip(tag % 8);
    }
    if (reader.position !== end) throw new MalformedBytes('a value exceeds its list');
    return list;
  };
}

function createZero(type: FieldType): (() => JsonValue) | undefined {
  if (type.kind === 'message') return () => ({});
  if (type.kind !== 'scalar') return undefined;
  if (type.scalar === 'bytes') return () => '';
  const { zero } = scalarReaders[type.scalar];
  return zero === undefined ? undefined : () => zero;
}

function listAt(object: JsonObject, name: string): JsonValue[] {
  object[name] ??= [];
  return object[name] as JsonValue[]; // Written only by the readers of this list.
}

function wireTypeOf(type: FieldType): number {
  return type.kind === 'scalar' ? scalarReaders[type.scalar].wireType : wireType.bytes;
}
