import { formatQuantity, type JsonObject, roundUpQuantity, tryParseQuantity } from '@binnacle/api-objects';

/** Rounds amounts of resources up to thousandths, which they are counted in; changes the object. */
export function roundAmounts(amounts: JsonObject): void {
  for (const [name, amount] of Object.entries(amounts)) {
    // Only these spellings can stand for less than a thousandth.
    if (typeof amount !== 'string' || !/[nu.eE]/.test(amount)) continue;
    const quantity = tryParseQuantity(amount);
    if (quantity) amounts[name] = formatQuantity(roundUpQuantity(quantity, -3));
  }
}
