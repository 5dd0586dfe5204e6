import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { FieldType, MessageType, ScalarType, SchemaMismatch } from '../definitions/definitions.ts';
import { messageNamed } from '../descriptors/messages.ts';
import { pathOf } from './path-text.ts';

type Path = (string | number)[];

/**
 * Checks the metadata of an object within an object, at the path of the inner object: fields that metadata does not have
 * are taken out and told, a value of a type that it cannot have is given.
 */
export function checkEmbeddedMetadata(
  metadata: JsonValue,
  path: readonly (string | number)[],
  onUnknown: (path: string) => void,
): SchemaMismatch | undefined {
  const type: FieldType = { kind: 'message', message: messageNamed('cluster.io.api.meta.v1.ObjectMeta') };
  return check(type, metadata, { path: [...path, 'metadata'], onUnknown });
}

interface Walk {
  readonly path: Path;
  readonly onUnknown: (path: string) => void;
}

function check(type: FieldType, value: JsonValue, walk: Walk): SchemaMismatch | undefined {
  if (value === null) return undefined;
  switch (type.kind) {
    case 'message':
      return isJsonObject(value) ? checkMessage(type.message, value, walk) : mismatch(value, 'object', walk);
    case 'map':
      return isJsonObject(value)
        ? firstOf(Object.entries(value), ([key, item]) =>
            at(walk, key, () => check(type.value, item ?? null, walk)),
          )
        : mismatch(value, 'object', walk);
    case 'list':
      return Array.isArray(value)
        ? firstOf(value.entries(), ([index, item]) => at(walk, index, () => check(type.element, item, walk)))
        : mismatch(value, 'array', walk);
    case 'scalar': {
      const expected = typeOfScalar(type.scalar);
      return expected === undefined || typeof value === expected
        ? undefined
        : mismatch(value, expected, walk);
    }
  }
}

function checkMessage(message: MessageType, object: JsonObject, walk: Walk): SchemaMismatch | undefined {
  return firstOf(Object.keys(object), key =>
    at(walk, key, () => {
      const field = message.fields.get(key);
      if (field !== undefined) return check(field.type, object[key] ?? null, walk);
      walk.onUnknown(pathOf(walk.path));
      delete object[key];
      return undefined;
    }),
  );
}

/** What metadata consists of besides free-form parts, which can be anything. */
function typeOfScalar(scalar: ScalarType): 'string' | 'boolean' | 'number' | undefined {
  switch (scalar) {
    case 'string':
    case 'time':
      return 'string';
    case 'bool':
      return 'boolean';
    case 'int32':
    case 'int64':
      return 'number';
    default:
      return undefined;
  }
}

function mismatch(value: JsonValue, expected: string, { path }: Walk): SchemaMismatch {
  return { path: pathOf(path), found: Array.isArray(value) ? 'array' : typeof value, expected };
}

function at<T>({ path }: Walk, part: string | number, work: () => T): T {
  path.push(part);
  const result = work();
  path.pop();
  return result;
}

function firstOf<T, R>(items: Iterable<T>, find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
