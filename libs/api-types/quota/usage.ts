import { addQuantities, type Quantity, quantityFromInteger, subtractQuantities } from '@binnacle/api-objects';

/** Amounts by the name of what is used; one that is missing is zero. */
export type Usage = ReadonlyMap<string, Quantity>;

/** Nothing. */
export const nothing: Quantity = quantityFromInteger(0);

/** One piece. */
export const onePiece: Quantity = quantityFromInteger(1);

/** The sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? nothing, amount));
  return sum;
}

/** How much more `after` is than `before`, by name; what did not change is left out, what is less is negative. */
export function usageDifference(after: Usage, before: Usage): Usage {
  const difference = new Map<string, Quantity>();
  for (const name of new Set([...after.keys(), ...before.keys()])) {
    const change = subtractQuantities(after.get(name) ?? nothing, before.get(name) ?? nothing);
    if (change.nanos !== 0n) difference.set(name, change);
  }
  return difference;
}
