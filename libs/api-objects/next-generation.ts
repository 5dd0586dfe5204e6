import { numberFromInteger } from './json-text.ts';

/** The generation after another; none counts as 0. Clients set it where the server does not count, to any integer of 64 bits. */
export function nextGeneration(generation: number | bigint | undefined): number | bigint {
  if (typeof generation !== 'bigint' && (generation ?? 0) < Number.MAX_SAFE_INTEGER)
    return (generation ?? 0) + 1;
  return numberFromInteger(BigInt.asIntN(64, BigInt(generation ?? 0) + 1n));
}
