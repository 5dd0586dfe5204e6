import { equalJson, isJsonObject, isNumber, type JsonValue, ownProperty } from '@binnacle/api-objects';

/** One step of a path. */
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
  /** The properties with this name at any depth; `*` for every value. */
  | { readonly kind: 'below'; readonly name: string }
  | { readonly kind: 'filter'; readonly filter: JsonPathFilter }
  | { readonly kind: 'union'; readonly steps: readonly JsonPathStep[] };

/** A path, starting at the object. */
export type JsonPath = readonly JsonPathStep[];

type Operand = { readonly path: JsonPath } | { readonly value: JsonValue };

/** The condition of a filter; without an operator the left path must have a value. */
export interface JsonPathFilter {
  readonly left: Operand;
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | undefined;
  readonly right: Operand | undefined;
}

/** Maximum number of values of a path, which are shown in one cell. */
const mostValues = 1000;

/** Remaining value visits of path evaluations. */
export interface PathSteps {
  left: number;
}

/** Default maximum number of visits for one path. */
const mostVisits = 100_000;

/** Returns the values of a path in order; none if the path has no values or the visits are exhausted. */
export function valuesAt(
  path: JsonPath,
  value: JsonValue,
  steps: PathSteps = { left: mostVisits },
): JsonValue[] {
  let values: JsonValue[] = [value];
  for (const step of path) {
    const next = new Values(steps);
    for (const from of values) if (!next.isFull) follow(step, from, next);
    values = next.values;
  }
  return steps.left < 0 ? [] : values;
}

/** The values of a step; counts visits. */
class Values {
  readonly values: JsonValue[] = [];
  readonly steps: PathSteps;

  constructor(steps: PathSteps) {
    this.steps = steps;
  }

  get isFull(): boolean {
    return this.values.length >= mostValues || this.steps.left < 0;
  }

  visit(): void {
    this.steps.left--;
  }

  add(value: JsonValue): void {
    this.visit();
    if (!this.isFull) this.values.push(value);
  }
}

function follow(step: JsonPathStep, value: JsonValue, found: Values): void {
  found.visit();
  switch (step.kind) {
    case 'child':
      addChild(value, step.name, found);
      break;
    case 'every':
      eachItem(value, found, item => found.add(item));
      break;
    case 'index': {
      const item = Array.isArray(value) ? value.at(step.index) : undefined;
      if (item !== undefined) found.add(item);
      break;
    }
    case 'slice': {
      const items = Array.isArray(value) ? value.slice(step.from ?? 0, step.to ?? value.length) : [];
      for (let i = 0; i < items.length && !found.isFull; i += step.by) found.add(items[i]!); // Within bounds.
      break;
    }
    case 'below':
      below(step.name, value, found);
      break;
    case 'filter':
      eachItem(value, found, item => {
        found.visit();
        if (passes(step.filter, item, found.steps)) found.add(item);
      });
      break;
    case 'union':
      for (const part of step.steps) follow(part, value, found);
  }
}

function addChild(value: JsonValue, name: string, found: Values): void {
  const child = isJsonObject(value) ? ownProperty(value, name) : undefined;
  if (child !== undefined) found.add(child);
}

function eachItem(value: JsonValue, found: Values, work: (item: JsonValue) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (found.isFull) return;
    work(item ?? null);
  }
}

function below(name: string, value: JsonValue, found: Values): void {
  found.visit();
  if (name === '*') found.add(value);
  else addChild(value, name, found);
  eachItem(value, found, item => below(name, item, found));
}

function passes({ left, operator, right }: JsonPathFilter, item: JsonValue, steps: PathSteps): boolean {
  const a = operandValue(left, item, steps);
  if (a === undefined) return false;
  if (operator === undefined || right === undefined) return true;
  const b = operandValue(right, item, steps);
  if (b === undefined) return false;
  if (operator === '==') return equalJson(a, b);
  if (operator === '!=') return !equalJson(a, b);
  const areNumbers = isNumber(a) && isNumber(b);
  if (!areNumbers && !(typeof a === 'string' && typeof b === 'string')) return false;
  const order = a < b ? -1 : a > b ? 1 : 0;
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

function operandValue(operand: Operand, item: JsonValue, steps: PathSteps): JsonValue | undefined {
  return 'value' in operand ? operand.value : valuesAt(operand.path, item, steps)[0];
}
