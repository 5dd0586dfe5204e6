import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { FieldDefinition, FieldType, MessageType } from '@binnacle/api-types';
import { alternativesFrom } from './alternatives.ts';
import { scalarCodecs, type ValueWriter, wrongType } from './value-writers.ts';
import { wireType } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

type FieldWriter = (object: JsonObject, writer: WireWriter) => void;

/** Writers of a message's fields, highest number first; filled after registration because types can be recursive. */
interface MessageWriter {
  readonly fields: FieldWriter[];
}

const keyTag = 0x0a;
const noFields: JsonObject = Object.freeze({});
const compiled = new WeakMap<MessageType, MessageWriter>();

/** Writes the fields of an object, without a length. */
export function writeMessage(message: MessageType, object: JsonObject, writer: WireWriter): void {
  writeFields(compile(message), object, writer);
}

function writeFields(message: MessageWriter, object: JsonObject, writer: WireWriter): void {
  for (const writeField of message.fields) writeField(object, writer);
}

function compile(message: MessageType): MessageWriter {
  const known = compiled.get(message);
  if (known !== undefined) return known;
  const writer: MessageWriter = { fields: [] };
  compiled.set(message, writer);
  const descending = [...message.wireFields].sort((a, b) => b.number - a.number);
  writer.fields.push(...descending.map(fieldWriter));
  return writer;
}

function fieldWriter(field: FieldDefinition): FieldWriter {
  if (field.inline && field.type.kind === 'message') return inlineWriter(field.number, field.type.message);
  const { type, name, number } = field;
  switch (type.kind) {
    case 'list':
      return type.wrapped === true
        ? presentWriter(name, number, type)
        : listWriter(name, number, type.element);
    case 'map':
      return mapWriter(name, number, type.value);
    case 'message':
      return field.pointer
        ? presentWriter(name, number, type)
        : alwaysMessageWriter(name, number, type.message);
    case 'scalar':
      return scalarWriter(field);
  }
}

/** Writes an inlined message: its fields belong to the parent object in JSON and to a nested message on the wire. */
function inlineWriter(number: number, message: MessageType): FieldWriter {
  const inner = compile(message);
  const tag = tagOf(number, wireType.bytes);
  return (object, writer) => {
    writeNested(inner, object, writer);
    writer.varint(tag);
  };
}

function scalarWriter(field: FieldDefinition): FieldWriter {
  const { name, number, pointer, type } = field;
  const codec = scalarCodecs[type.kind === 'scalar' ? type.scalar : 'json'];
  const { write, writeUnset } = codec;
  if (pointer || writeUnset === undefined) return presentWriter(name, number, type);
  const tag = tagOf(number, codec.wireType);
  return (object, writer) => {
    const value = object[name];
    if (value === undefined || value === null) writeUnset(writer);
    else write(value, writer);
    writer.varint(tag);
  };
}

function presentWriter(name: string, number: number, type: FieldType): FieldWriter {
  const write = valueWriter(type);
  const tag = tagOf(number, wireTypeOf(type));
  return (object, writer) => {
    const value = object[name];
    if (value === undefined || value === null) return;
    write(value, writer);
    writer.varint(tag);
  };
}

function alwaysMessageWriter(name: string, number: number, message: MessageType): FieldWriter {
  const inner = compile(message);
  const tag = tagOf(number, wireType.bytes);
  return (object, writer) => {
    const value = object[name] ?? noFields;
    if (!isJsonObject(value)) throw wrongType('object', value);
    writeNested(inner, value, writer);
    writer.varint(tag);
  };
}

function listWriter(name: string, number: number, element: FieldType): FieldWriter {
  const write = valueWriter(element);
  const tag = tagOf(number, wireTypeOf(element));
  return (object, writer) => {
    const list = object[name];
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) throw wrongType('array', list);
    for (let i = list.length - 1; i >= 0; i--) {
      write(list[i]!, writer);
      writer.varint(tag);
    }
  };
}

/** Writes a map as messages of key and value, sorted by key. */
function mapWriter(name: string, number: number, valueType: FieldType): FieldWriter {
  const write = valueWriter(valueType);
  const tag = tagOf(number, wireType.bytes);
  const valueTag = tagOf(2, wireTypeOf(valueType));
  return (object, writer) => {
    const map = object[name];
    if (map === undefined || map === null) return;
    if (!isJsonObject(map)) throw wrongType('object', map);
    const keys = Object.keys(map);
    if (keys.length > 1) keys.sort();
    for (let i = keys.length - 1; i >= 0; i--) {
      const before = writer.length;
      write(map[keys[i]!]!, writer);
      writer.varint(valueTag);
      writer.text(keys[i]!);
      writer.varint(keyTag);
      writer.varint(writer.length - before);
      writer.varint(tag);
    }
  };
}

function valueWriter(type: FieldType): ValueWriter {
  switch (type.kind) {
    case 'scalar':
      return type.alternatives === undefined
        ? scalarCodecs[type.scalar].write
        : alternativesWriter(type.alternatives);
    case 'message': {
      const inner = compile(type.message);
      return (value, writer) => {
        if (!isJsonObject(value)) throw wrongType('object', value);
        writeNested(inner, value, writer);
      };
    }
    case 'list':
      return wrappedListWriter(type.element);
    case 'map':
      throw new Error('a map within a list or a map cannot be encoded');
  }
}

function alternativesWriter(message: MessageType): ValueWriter {
  const inner = compile(message);
  const toMessage = alternativesFrom(message);
  return (value, writer) => writeNested(inner, toMessage(value), writer);
}

/** Writes a list within a list: a message with the elements in field 1. */
function wrappedListWriter(element: FieldType): ValueWriter {
  const write = valueWriter(element);
  const tag = tagOf(1, wireTypeOf(element));
  return (value: JsonValue, writer) => {
    if (!Array.isArray(value)) throw wrongType('array', value);
    const before = writer.length;
    for (let i = value.length - 1; i >= 0; i--) {
      write(value[i]!, writer);
      writer.varint(tag);
    }
    writer.varint(writer.length - before);
  };
}

function writeNested(message: MessageWriter, object: JsonObject, writer: WireWriter): void {
  const before = writer.length;
  writeFields(message, object, writer);
  writer.varint(writer.length - before);
}

function wireTypeOf(type: FieldType): number {
  return type.kind === 'scalar' ? scalarCodecs[type.scalar].wireType : wireType.bytes;
}

function tagOf(number: number, wire: number): number {
  return number * 8 + wire;
}
