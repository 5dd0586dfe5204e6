import type { JsonValue } from '@binnacle/api-objects';
import type { PathElement } from '../field-sets/path-element.ts';
import type { ListSchema } from '../schemas/typed-schema.ts';

/**
 * Cached path elements, nested by the values of the list's keys in order, undefined for a missing key; the innermost value is the
 * path element.
 */
export interface KnownSteps {
  get(value: JsonValue | undefined): KnownSteps | PathElement | undefined;
}

type StepsOfKey = Map<JsonValue | undefined, StepsOfKey | PathElement>;

/** Maximum number of cached path elements of all lists; beyond it the cache is cleared. */
const mostSteps = 16_384;
/** Longer path elements, in characters, are not cached. */
const longestStep = 256;

let byList = new WeakMap<ListSchema, StepsOfKey>();
let count = 0;

/**
 * Returns the cached path elements of a keyed list.
 *
 * A traversal of an object needs each element's path several times, and later writes of an object mostly have the same elements.
 * A cached path element is created once and is then the same string, whose hash is already computed.
 */
export function knownSteps(list: ListSchema): KnownSteps | undefined {
  return byList.get(list);
}

/** Caches a path element of at most 256 characters under the scalar values of the list's keys. */
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
  // Every key but the last maps to the entries of the next one.
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
