import type { StorageKey } from './keys.ts';

/**
 * The partition of the change feed that carries an object type: FNV-1a of the type prefix, modulo the count.
 *
 * Publisher and readers must agree on it for as long as a topic lives, so it never changes.
 */
export function partitionOf(typePrefix: StorageKey | string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(typePrefix, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % partitions;
}
