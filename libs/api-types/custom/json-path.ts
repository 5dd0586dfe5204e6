import { equalJson, isJsonObject, type JsonValue, ownProperty } from '@binnacle/api-objects';

/** One step of a path, from values to those that they lead to. */
export type JsonPathStep =
  | { readonly kind: 'child'; readonly name: string }
  | { readonly kind: 'every' }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice';
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly by: number;
    }
  /** The properties of that name at any depth; `*` for every value. */
  | { readonly kind: 'below'; readonly name: string }
  | { readonly kind: 'filter'; readonly filter: JsonPathFilter }
  | { readonly kind: 'union'; readonly steps: readonly JsonPathStep[] };

/** A path, from the object on. */
export type JsonPath = readonly JsonPathStep[];

type Operand = { readonly path: JsonPath } | { readonly value: JsonValue };

/** What an item must be to be kept; without an operator its left side must lead somewhere. */
export interface JsonPathFilter {
  readonly left: Operand;
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | undefined;
  readonly right: Operand | undefined;
}

/** More values than this no path gives: what is shown of them is one cell. */
const mostValues = 1000;

/** The values that a path leads to, in order; none where it leads nowhere. */
export function valuesAt(path: JsonPath, value: JsonValue): JsonValue[] {
  let values: JsonValue[] = [value];
  for (const step of path) values = values.flatMap(from => follow(step, from)).slice(0, mostValues);
  return values;
}

function follow(step: JsonPathStep, value: JsonValue): JsonValue[] {
  switch (step.kind) {
    case 'child':
      return childOf(value, step.name);
    case 'every':
      return itemsOf(value);
    case 'index': {
      const item = Array.isArray(value) ? value.at(step.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'slice':
      return Array.isArray(value)
        ? value.slice(step.from ?? 0, step.to ?? value.length).filter((_item, index) => index % step.by === 0)
        : [];
    case 'below':
      return below(step.name, value);
    case 'filter':
      return itemsOf(value).filter(item => passes(step.filter, item));
    case 'union':
      return step.steps.flatMap(part => follow(part, value));
  }
}

function childOf(value: JsonValue, name: string): JsonValue[] {
  const child = isJsonObject(value) ? ownProperty(value, name) : undefined;
  return child === undefined ? [] : [child];
}

function itemsOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value).map(item => item ?? null) : [];
}

function below(name: string, value: JsonValue): JsonValue[] {
  const own = name === '*' ? [value] : childOf(value, name);
  return [...own, ...itemsOf(value).flatMap(item => below(name, item))].slice(0, mostValues);
}

function passes({ left, operator, right }: JsonPathFilter, item: JsonValue): boolean {
  const a = operandValue(left, item);
  if (a === undefined) return false;
  if (operator === undefined || right === undefined) return true;
  const b = operandValue(right, item);
  if (b === undefined) return false;
  if (operator === '==') return equalJson(a, b);
  if (operator === '!=') return !equalJson(a, b);
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) return false;
  const order = a < (b as typeof a) ? -1 : a === b ? 0 : 1; // Of one type: the line before saw to it.
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function operandValue(operand: Operand, item: JsonValue): JsonValue | undefined {
  return 'value' in operand ? operand.value : valuesAt(operand.path, item)[0];
}
