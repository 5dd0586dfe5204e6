import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@binnacle/api-objects';
import { TemplateError } from '../template-error.ts';
import { formatFloat } from './format-float.ts';

/**
 * A value as kubectl's templates have it, in Go's types: an integer is a bigint, a number is a float64; undefined stands for no
 * value at all. Containers are those of the document, and what they hold becomes such a value when it is taken out.
 */
export type GoValue = undefined | null | boolean | bigint | number | string | JsonValue[] | JsonObject;

/** Deeper than this no value of a template is nested. */
export const deepestNesting = 1000;

/** The value of a document in Go's types: kubectl decodes an integer of 64 bits as an int64, and every other number as a float64. */
export function goValueFromJson(value: JsonValue | undefined): GoValue {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** The member of a map; undefined where the map has none, whatever its prototype has. */
export function readMember(map: JsonObject, key: string): GoValue {
  return goValueFromJson(ownProperty(map, key));
}

/** The keys of a map in the order in which Go prints them. */
export function sortedKeys(map: JsonObject): string[] {
  return Object.keys(map).sort();
}

/** Go's name of the type of a value. */
export function goTypeName(value: GoValue): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'string':
      return 'string';
  }
}

/** The text of a value as Go's `%v` has it: `[1 a]`, `map[a:1]`, `<nil>`. */
export function formatGoValue(value: GoValue, depth = 0): string {
  if (depth > deepestNesting)
    throw new TemplateError(`a value is nested deeper than ${deepestNesting} levels`);
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatFloat(value, 'g');
  if (Array.isArray(value))
    return `[${value.map(item => formatGoValue(goValueFromJson(item), depth + 1)).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = sortedKeys(value).map(key => `${key}:${formatGoValue(readMember(value, key), depth + 1)}`);
  return `map[${members.join(' ')}]`;
}
