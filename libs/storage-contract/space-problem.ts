import type { StoreSpace } from './storage.ts';

/** The part of its bound from which a store counts as nearly full. */
const nearlyFull = 0.8;

/** The lack of space of a store in words, for `/readyz` and logs; undefined: there is enough. */
export function spaceProblem({ sizeBytes, quotaBytes, isFull }: StoreSpace): string | undefined {
  if (isFull) return 'the store is full: it accepts no writes until it has space and the alarm is disarmed';
  if (quotaBytes === 0 || sizeBytes < nearlyFull * quotaBytes) return undefined;
  return `the store uses ${Math.floor((sizeBytes / quotaBytes) * 100)}% of its quota`;
}
