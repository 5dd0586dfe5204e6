import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { FieldType, MessageType, ScalarType } from '@binnacle/api-types';

/** Options of fullObject. */
interface FullObjectOptions {
  /** Number of elements of each list and entries of each map; default: 2. */
  readonly elements?: number;
}

/** Maximum number of recursive occurrences of a message. */
const recursionLimit = 1;
const firstSecond = Date.UTC(2024, 1, 29, 12) / 1000;

/**
 * Creates an object with a value in every field of its type, in canonical form. All leaf values of a type differ, so that a
 * misplaced value is detected.
 */
export function fullObject(message: MessageType, options: FullObjectOptions = {}): JsonObject {
  return createFiller(options.elements ?? 2).object(message, new Map());
}

interface Filler {
  object(message: MessageType, within: ReadonlyMap<MessageType, number>): JsonObject;
}

function createFiller(elements: number): Filler {
  let count = 0;

  function object(message: MessageType, within: ReadonlyMap<MessageType, number>): JsonObject {
    const inside = new Map(within).set(message, (within.get(message) ?? 0) + 1);
    const result: JsonObject = {};
    for (const { name, type } of message.fields.values()) {
      if (!recursesTooDeep(type, inside)) result[name] = value(type, inside);
    }
    return result;
  }

  function value(type: FieldType, within: ReadonlyMap<MessageType, number>): JsonValue {
    switch (type.kind) {
      case 'message':
        return object(type.message, within);
      case 'list':
        return Array.from({ length: elements }, () => value(type.element, within));
      case 'map':
        return Object.fromEntries(
          Array.from({ length: elements }, () => [`key-${count++}`, value(type.value, within)]),
        );
      case 'scalar':
        return type.alternatives === undefined
          ? scalarValue(type.scalar, count++)
          : alternative(type.alternatives, within);
    }
  }

  function alternative(message: MessageType, within: ReadonlyMap<MessageType, number>): JsonValue {
    const possible = message.wireFields.filter(field => !recursesTooDeep(field.type, within));
    const field = possible[count++ % possible.length];
    return field === undefined ? [] : value(field.type, within);
  }

  return { object };
}

function recursesTooDeep(type: FieldType, within: ReadonlyMap<MessageType, number>): boolean {
  switch (type.kind) {
    case 'message':
      return (within.get(type.message) ?? 0) > recursionLimit;
    case 'list':
      return recursesTooDeep(type.element, within);
    case 'map':
      return recursesTooDeep(type.value, within);
    case 'scalar':
      return type.alternatives?.wireFields.every(field => recursesTooDeep(field.type, within)) ?? false;
  }
}

/** Returns the n-th value of a scalar type, never its zero value. */
function scalarValue(scalar: ScalarType, n: number): JsonValue {
  switch (scalar) {
    case 'string':
      return n % 7 === 0 ? `Tëxt ☃ ${n}` : `text-${n}`;
    case 'bool':
      return true;
    case 'int32':
      return n % 2 === 0 ? n + 1 : -n;
    case 'int64':
      return n % 2 === 0 ? 2 ** 40 + n : -(2 ** 40) - n;
    case 'double':
      return n + 0.5;
    case 'bytes':
      return Buffer.from(`bytes-${n}\u0000`).toString('base64');
    case 'time':
      return `${new Date((firstSecond + n) * 1000).toISOString().slice(0, 19)}Z`;
    case 'microTime':
      return `${new Date((firstSecond + n) * 1000).toISOString().slice(0, 19)}.000${String((n % 900) + 100)}Z`;
    case 'duration':
      return `${(n % 58) + 1}m${(n % 59) + 1}s`;
    case 'quantity':
      return `${n * 10 + 1}m`;
    case 'intOrString':
      return n % 2 === 0 ? n + 1 : `port-${n}`;
    case 'json':
      return { any: [`thing-${n}`, n, { nested: null }] };
  }
}
