import { numberFromInteger } from './json-text.ts';

/**
 * Returns the next generation; undefined counts as 0. Clients may set any 64-bit integer for kinds whose generation the server
 * does not manage.
 */
export function nextGeneration(generation: number | bigint | undefined): number | bigint {
  if (typeof generation !== 'bigint' && (generation ?? 0) < Number.MAX_SAFE_INTEGER)
    return (generation ?? 0) + 1;
  return numberFromInteger(BigInt.asIntN(64, BigInt(generation ?? 0) + 1n));
}
