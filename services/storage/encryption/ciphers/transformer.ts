import type { StorageKey } from '@binnacle/storage-contract';

/** A decrypted value. */
export interface Decrypted {
  readonly value: Uint8Array;
  /** Whether a write of the same value would be encrypted otherwise: by another provider, or with another key. */
  readonly isStale: boolean;
}

/**
 * Encrypts values before they are stored, and decrypts stored ones. The storage key is authenticated where the cipher authenticates
 * anything, so that a value decrypts in its own place only. Answers without a promise where nothing has to be waited for.
 */
export interface Transformer {
  encrypt(value: Uint8Array, key: StorageKey): Uint8Array | Promise<Uint8Array>;
  /** Throws, or rejects, if the stored bytes are not of this transformer, were changed, or belong to another key. */
  decrypt(stored: Uint8Array, key: StorageKey): Decrypted | Promise<Decrypted>;
}
