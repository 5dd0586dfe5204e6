import type { JsonValue } from '@binnacle/api-objects';
import type { PathElement } from '../field-sets/path-element.ts';
import type { ListSchema } from '../schemas/typed-schema.ts';

/** Steps by the value of one key after the other, undefined for a key that an element lacks: at the last is the step. */
export interface KnownSteps {
  get(value: JsonValue | undefined): KnownSteps | PathElement | undefined;
}

type StepsOfKey = Map<JsonValue | undefined, StepsOfKey | PathElement>;

/** Steps kept over all lists; when there are more, all are let go. */
const mostSteps = 16_384;
/** Longer steps are not kept. */
const longestStep = 256;

let byList = new WeakMap<ListSchema, StepsOfKey>();
let count = 0;

/**
 * The steps to elements of a keyed list that were met before.
 *
 * A walk through an object meets each element several times, and objects are written again and again with the same
 * elements. Steps that are kept are made once, and are then the same string, whose hash is known.
 */
export function knownSteps(list: ListSchema): KnownSteps | undefined {
  return byList.get(list);
}

/** Keeps a step, at most 256 characters of it, under the scalar values of the list's keys. */
export function keepStep(
  list: ListSchema,
  values: readonly (JsonValue | undefined)[],
  step: PathElement,
): void {
  if (step.length > longestStep) return;
  if (count >= mostSteps) {
    byList = new WeakMap();
    count = 0;
  }
  const last = values.length - 1;
  let steps = stepsIn(byList, list);
  // At every key but the last there are the steps of the next one.
  for (let i = 0; i < last; i++) steps = stepsIn(steps as Map<JsonValue | undefined, StepsOfKey>, values[i]);
  steps.set(values[last], step);
  count++;
}

function stepsIn<K>(
  all: { get(key: K): StepsOfKey | undefined; set(key: K, steps: StepsOfKey): unknown },
  key: K,
) {
  let steps = all.get(key);
  if (steps === undefined) {
    steps = new Map();
    all.set(key, steps);
  }
  return steps;
}
