import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pathText,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { FieldType, MessageType, ScalarType, SchemaMismatch } from '../definitions/message-type.ts';
import { extensionOfAlias } from '../group-names/extension-names.ts';
import { alternativeFor } from './alternatives.ts';
import { countKeys } from './count-keys.ts';
import { checkScalar, containerMismatch, describeValue, TypeMismatch } from './scalar-check.ts';

/** The result of checking a value against its message type. */
export interface TypeCheck {
  /** Number of keys of all objects, including those within unknown fields. */
  readonly members: number;
  /** Paths of unknown fields, which were removed from the value; at most 1,000. */
  readonly unknownFields: readonly string[];
  /** The first value of a wrong type. */
  readonly mismatch?: SchemaMismatch;
}

interface Walk {
  members: number;
  readonly unknownFields: string[];
  readonly path: (string | number)[];
}

/** Thrown at the first value of a wrong type to end the check. */
class MismatchAt extends Error {
  readonly mismatch: TypeMismatch;

  constructor(mismatch: TypeMismatch) {
    super('type mismatch');
    this.mismatch = mismatch;
  }
}

const mostReported = 1000;

/**
 * Checks a JSON object against a message type in place: removes unknown fields and nulls, and converts times and quantities to
 * canonical form. Field names are case-sensitive.
 */
export function checkTypes(message: MessageType, object: JsonObject): TypeCheck {
  const walk: Walk = { members: 0, unknownFields: [], path: [] };
  try {
    walkMessage(message, object, walk);
    const mismatch = message.structure?.prune(object, path => noteUnknown(path, walk));
    if (mismatch !== undefined) return { ...walk, mismatch };
  } catch (error) {
    if (!(error instanceof MismatchAt)) throw error;
    const { found, expected } = error.mismatch;
    return { ...walk, mismatch: { path: pathText(walk.path), found, expected } };
  }
  return walk;
}

function walkMessage(message: MessageType, object: JsonObject, walk: Walk): void {
  const { fields, structure, typeMeta } = message;
  const { path } = walk;
  const depth = path.length;
  path.push('');
  // Parsed values have no inherited enumerable properties, and this loop allocates no list of keys.
  for (const key in object) {
    walk.members++;
    path[depth] = key;
    const value = object[key]!;
    const field = fields.get(key);
    if (field === undefined) {
      if (typeMeta && (key === 'kind' || key === 'apiVersion')) checkLeaf('string', value);
      else if (structure !== undefined) walk.members += countKeys(value);
      else if (!renameAlias(message, object, walk)) dropUnknown(object, key, walk);
    } else if (value === null) {
      delete object[key];
    } else if (typeof value !== 'string' || !isPlainText(field.type)) {
      const checked = walkValue(field.type, value, walk);
      // Among scalars only the zero time is null, which equals absence.
      if (checked === null) delete object[key];
      else if (checked !== value) object[key] = checked;
    }
  }
  path.length = depth;
}

/** Strings are the most frequent values and need no conversion. */
function isPlainText(type: FieldType): boolean {
  return type.kind === 'scalar' && type.scalar === 'string';
}

function walkValue(type: FieldType, value: JsonValue, walk: Walk): JsonValue {
  switch (type.kind) {
    case 'scalar':
      if (type.alternatives !== undefined) return walkAlternatives(type.alternatives, value, walk);
      if (type.scalar === 'json') walk.members += countKeys(value);
      return checkLeaf(type.scalar, value);
    case 'message':
      if (!isJsonObject(value)) throw new MismatchAt(containerMismatch(value, 'object'));
      walkMessage(type.message, value, walk);
      return value;
    case 'list':
      if (!Array.isArray(value)) throw new MismatchAt(containerMismatch(value, 'array'));
      return walkList(type.element, value, walk);
    case 'map':
      if (!isJsonObject(value)) throw new MismatchAt(containerMismatch(value, 'object'));
      return walkMap(type.value, value, walk);
  }
}

function walkAlternatives(message: MessageType, value: JsonValue, walk: Walk): JsonValue {
  const field = alternativeFor(message, value);
  if (field === undefined) throw new MismatchAt(new TypeMismatch(describeValue(value, ''), message.name));
  return walkValue(field.type, value, walk);
}

function walkList(element: FieldType, list: JsonValue[], walk: Walk): JsonValue[] {
  const depth = walk.path.length;
  walk.path.push(0);
  for (let i = 0; i < list.length; i++) {
    walk.path[depth] = i;
    const value = list[i]!;
    const checked = value === null ? createZero(element) : walkValue(element, value, walk);
    if (checked !== value) list[i] = checked;
  }
  walk.path.length = depth;
  return list;
}

function walkMap(type: FieldType, map: JsonObject, walk: Walk): JsonObject {
  const depth = walk.path.length;
  walk.path.push('');
  for (const key in map) {
    walk.members++;
    walk.path[depth] = key;
    const value = map[key]!;
    if (typeof value === 'string' && isPlainText(type)) continue;
    const checked = value === null ? createZero(type) : walkValue(type, value, walk);
    if (checked !== value) setOwnProperty(map, key, checked);
  }
  walk.path.length = depth;
  return map;
}

function checkLeaf(scalar: ScalarType, value: JsonValue): JsonValue {
  if (scalar === 'string' && typeof value === 'string') return value;
  const checked = checkScalar(scalar, value);
  if (checked instanceof TypeMismatch) throw new MismatchAt(checked);
  return checked;
}

/** Returns the value that replaces a null element of a list or map. */
function createZero(type: FieldType): JsonValue {
  switch (type.kind) {
    case 'message':
    case 'map':
      return {};
    case 'list':
      return [];
    case 'scalar':
      return zeroScalar(type.scalar);
  }
}

function zeroScalar(scalar: ScalarType): JsonValue {
  switch (scalar) {
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'json':
    case 'time':
    case 'microTime':
      return null;
    case 'string':
    case 'bytes':
      return '';
  }
}

/** Renames the current key from an extension alias to its canonical name; returns false for other keys. */
function renameAlias(message: MessageType, object: JsonObject, walk: Walk): boolean {
  const key = String(walk.path.at(-1));
  const name = extensionOfAlias(key);
  const field = name === undefined ? undefined : message.fields.get(name);
  if (field === undefined) return false;
  const value = object[key] ?? null;
  delete object[key];
  if (value !== null) object[field.name] = walkValue(field.type, value, walk);
  return true;
}

function dropUnknown(object: JsonObject, key: string, walk: Walk): void {
  noteUnknown(pathText(walk.path), walk);
  walk.members += countKeys(object[key]!);
  delete object[key];
}

function noteUnknown(path: string, { unknownFields }: Walk): void {
  if (unknownFields.length < mostReported) unknownFields.push(path);
}
