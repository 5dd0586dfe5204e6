import type { StorageKey } from '@binnacle/storage-contract';

/** Prefix of every encrypted value, whatever encrypted it. */
const encryptedPrefix = Buffer.from('k8s:enc:');

/** Whether a stored value is encrypted. */
export function isEncrypted(stored: Uint8Array): boolean {
  return beginsWith(stored, encryptedPrefix);
}

/** Whether bytes begin with other ones. */
export function beginsWith(bytes: Uint8Array, prefix: Buffer): boolean {
  // Objects in plaintext differ in the first byte.
  if (bytes.length < prefix.length || (prefix.length > 0 && bytes[0] !== prefix[0])) return false;
  return prefix.compare(bytes, 0, prefix.length) === 0;
}

/** Stands for values in plaintext among the prefixes of values. */
export const plaintextPrefix = '';

/** The types of the encryption configuration of a process. */
export interface ConfiguredTypes {
  /** Those whose values are encrypted when they are written. */
  readonly encrypted: readonly StorageKey[];
  /** The prefixes of the values that can be read, for each type: those of its providers with their keys, and `plaintextPrefix`. */
  readonly readable: ReadonlyMap<StorageKey, readonly string[]>;
}
