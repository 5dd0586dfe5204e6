import { type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import type { FieldType, ListFieldType, MessageType, ScalarType } from '@binnacle/api-types';
import type { Random } from './random-objects.ts';

/** Maximum nesting depth of objects. */
const deepest = 7;

/** Returns a valid object of a type with random fields; keyed lists and sets have no duplicates. */
export function randomApiObject(message: MessageType, apiVersion: string, random: Random): JsonObject {
  const content = messageValue(message, random, 0);
  for (const name of ['metadata', 'apiVersion', 'kind']) delete content[name];
  const labels = mapValue({ kind: 'scalar', scalar: 'string' }, random, 0);
  return { apiVersion, kind: message.name, metadata: { name: 'x', labels }, ...content };
}

function messageValue(
  message: MessageType,
  random: Random,
  depth: number,
  always: readonly string[] = [],
): JsonObject {
  const object: JsonObject = {};
  for (const { name, type } of message.fields.values()) {
    // Sets few fields: otherwise all objects of a large type would be similar.
    if (!always.includes(name) && random(depth < 3 ? 2 : 4) > 0) continue;
    const value = anyValue(type, random, depth + 1);
    if (value !== undefined) setOwnProperty(object, name, value);
  }
  return object;
}

function anyValue(type: FieldType, random: Random, depth: number): JsonValue | undefined {
  if (depth > deepest && type.kind !== 'scalar') return undefined;
  switch (type.kind) {
    case 'message':
      return messageValue(type.message, random, depth);
    case 'list':
      return listValue(type, random, depth);
    case 'map':
      return mapValue(type.value, random, depth);
    case 'scalar':
      return type.alternatives === undefined ? scalarValue(type.scalar, random(3)) : undefined;
  }
}

function listValue(type: ListFieldType, random: Random, depth: number): JsonValue[] {
  const picks = [0, 1, 2].filter(() => random(2) === 0);
  const { element, mapKeys } = type;
  const items = picks.map(pick => {
    if (element.kind === 'scalar') return scalarValue(element.scalar, pick);
    if (element.kind !== 'message') return anyValue(element, random, depth + 1);
    return {
      ...messageValue(element.message, random, depth, mapKeys),
      ...createKeys(element.message, type, pick),
    };
  });
  return items.filter(item => item !== undefined);
}

/** Returns keys that distinguish the picks. */
function createKeys(message: MessageType, { listType, mapKeys }: ListFieldType, pick: number): JsonObject {
  if (listType !== 'map') return {};
  return Object.fromEntries(
    mapKeys.map(key => {
      const type = message.fields.get(key)?.type;
      return [key, type?.kind === 'scalar' ? scalarValue(type.scalar, pick) : `t${pick}`];
    }),
  );
}

function mapValue(type: FieldType, random: Random, depth: number): JsonObject {
  const map: JsonObject = {};
  for (const name of ['a', 'b', 'example.com/c']) {
    const value = random(2) === 0 ? anyValue(type, random, depth + 1) : undefined;
    if (value !== undefined) map[name] = value;
  }
  return map;
}

function scalarValue(scalar: ScalarType, pick: number): JsonValue {
  switch (scalar) {
    case 'bool':
      return pick === 0;
    case 'int32':
    case 'int64':
    case 'double':
      return pick + 1;
    case 'intOrString':
      return pick === 0 ? 80 : `t${pick}`;
    case 'json':
      return { deep: { [`t${pick}`]: pick } };
    case 'time':
      return `2024-01-0${pick + 1}T00:00:00Z`;
    case 'microTime':
      return `2024-01-0${pick + 1}T00:00:00.000000Z`;
    case 'duration':
      return `${pick}s`;
    case 'quantity':
      return `${pick}`;
    case 'bytes':
      return ['YQ==', 'Yg==', 'Yw=='][pick] ?? '';
    case 'string':
      return `t${pick}`;
  }
}
