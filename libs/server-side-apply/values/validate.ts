import { isJsonObject, isNumber, type JsonValue } from '@binnacle/api-objects';
import { depthLimit, isTooDeep } from '../field-sets/depth-limit.ts';
import { type PathElement, pathText } from '../field-sets/path-element.ts';
import {
  type ListSchema,
  type MapSchema,
  type ScalarKind,
  shapeOf,
  type TypedSchema,
} from '../schemas/typed-schema.ts';
import { isItemProblem, itemElement } from './list-items.ts';

/**
 * Validates that a value can be applied under its schema: shapes, declared fields, keys of list elements, no duplicate elements.
 * Returns one text for each fault, at most 32, with its path if there is one; empty if the value is valid. `duplicates` allows
 * duplicate list elements, which stored objects may contain.
 */
export function validate(
  value: JsonValue,
  schema: TypedSchema,
  options: { readonly duplicates?: boolean } = {},
): string[] {
  if (isTooDeep(value)) return [`objects nest at most ${depthLimit} levels deep`];
  const check: Check = { path: [], faults: [], duplicates: options.duplicates === true };
  checkValue(value, schema, check);
  return check.faults;
}

/** Formats the faults of an object as one text. */
export function faultsText(faults: readonly string[]): string {
  return faults.length === 1 ? faults[0]! : `errors:\n${faults.map(fault => `  ${fault}`).join('\n')}`;
}

interface Check {
  /** The path of the current value, extended and shortened during the traversal. */
  readonly path: PathElement[];
  readonly faults: string[];
  readonly duplicates: boolean;
}

/** Maximum number of faults reported for one object; after their correction the next request reports more. */
const faultLimit = 32;

function report(check: Check, fault: string): void {
  if (check.faults.length >= faultLimit) return;
  check.faults.push(check.path.length === 0 ? fault : `${pathText(check.path)}: ${fault}`);
}

function checkValue(value: JsonValue, schema: TypedSchema, check: Check): void {
  const shape = shapeOf(schema, value);
  if (value === null && shape !== undefined) return;
  switch (shape) {
    case 'scalar':
      if (!isScalar(value, schema.scalar!))
        report(check, `expected ${expected[schema.scalar!]}, got ${shown(value)}`);
      return;
    case 'map':
      if (isJsonObject(value)) checkMembers(value, schema.map!, check);
      else report(check, `expected map, got ${shown(value)}`);
      return;
    case 'list':
      if (Array.isArray(value)) checkItems(value, schema.list!, check);
      else report(check, `expected list, got ${shown(value)}`);
      return;
    default:
      report(check, 'schema error: no type found');
  }
}

function checkMembers(value: { [key: string]: JsonValue }, map: MapSchema, check: Check): void {
  for (const name of Object.keys(value)) {
    const field = map.fields.get(name);
    const schema = field?.schema ?? map.values;
    check.path.push(field?.element ?? `f:${name}`);
    if (schema === undefined) report(check, 'field not declared in schema');
    else checkValue(value[name]!, schema, check);
    check.path.pop();
  }
}

function checkItems(items: readonly JsonValue[], list: ListSchema, check: Check): void {
  const seen = items.length > 1 ? new Set<PathElement>() : undefined;
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    const element = list.listType === 'atomic' ? (`i:${i}` as const) : itemElement(item, list);
    if (isItemProblem(element)) {
      report(check, `element ${i}: ${element.problem}`);
      return;
    }
    if (seen?.has(element) && !check.duplicates) {
      report(check, `duplicate entries for key ${pathText([element])}`);
    }
    seen?.add(element);
    check.path.push(element);
    checkValue(item, list.element, check);
    check.path.pop();
  }
}

const expected: Readonly<Record<ScalarKind, string>> = {
  string: 'string',
  number: 'numeric (int or float)',
  boolean: 'boolean',
  any: 'any scalar',
};

function isScalar(value: JsonValue, kind: ScalarKind): boolean {
  if (kind === 'number') return isNumber(value);
  return kind === 'any' ? typeof value !== 'object' : typeof value === kind;
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}
