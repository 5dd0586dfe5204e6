import { addQuantities, type Quantity, quantityFromInteger, subtractQuantities } from '@binnacle/api-objects';

/** Amounts by resource name; a missing amount is zero. */
export type Usage = ReadonlyMap<string, Quantity>;

/** Zero. */
export const nothing: Quantity = quantityFromInteger(0);

/** One object. */
export const onePiece: Quantity = quantityFromInteger(1);

/** Adds two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? nothing, amount));
  return sum;
}

/** Returns the difference by name; unchanged amounts are left out, decreases are negative. */
export function usageDifference(after: Usage, before: Usage): Usage {
  const difference = new Map<string, Quantity>();
  for (const name of new Set([...after.keys(), ...before.keys()])) {
    const change = subtractQuantities(after.get(name) ?? nothing, before.get(name) ?? nothing);
    if (change.nanos !== 0n) difference.set(name, change);
  }
  return difference;
}
