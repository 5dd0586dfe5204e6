import type { JsonValue } from '@binnacle/api-objects';

const positions = new WeakMap<readonly unknown[], ReadonlySet<number>>();

/**
 * Whether a list contains the value at an index also at an earlier index. The list is indexed once and must not change
 * afterwards.
 */
export function isRepeated(values: readonly (JsonValue | undefined)[], index: number): boolean {
  let repeated = positions.get(values);
  if (repeated === undefined) {
    repeated = repeatedPositions(values);
    positions.set(values, repeated);
  }
  return repeated.has(index);
}

function repeatedPositions(values: readonly unknown[]): Set<number> {
  const seen = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeated.add(index);
    else seen.add(value);
  }
  return repeated;
}
