import type { StoreSpace } from './storage.ts';

/** Fraction of its quota above which a store counts as nearly full. */
const nearlyFull = 0.8;

/** Describes a store's lack of space, for `/readyz` and logs; undefined if it has enough. */
export function spaceProblem({ sizeBytes, quotaBytes, isFull }: StoreSpace): string | undefined {
  if (isFull) return 'the store is full: it accepts no writes until it has space and the alarm is disarmed';
  if (quotaBytes === 0 || sizeBytes < nearlyFull * quotaBytes) return undefined;
  return `the store uses ${Math.floor((sizeBytes / quotaBytes) * 100)}% of its quota`;
}
