import type { StorageKey } from '@binnacle/storage-contract';
import { type Cipher, type LocalProvider, localCiphers } from './ciphers/local-ciphers.ts';
import type { Decrypted, Transformer } from './ciphers/transformer.ts';
import { beginsWith, isEncrypted } from './stored-prefix.ts';

/** A key of a provider. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** Returns the prefix of the values of a local provider. */
export const prefixOfProvider = (provider: LocalProvider): string => `k8s:enc:${provider}:v1:`;

/** Returns the prefix of the values of one key of a local provider. */
export const prefixOfKey = (provider: LocalProvider, name: string): string =>
  `${prefixOfProvider(provider)}${name}:`;

interface KeyedCipher {
  readonly prefix: Buffer;
  readonly cipher: Cipher;
}

/** Creates the transformer of a local provider: its first key encrypts, and each decrypts the values that name it. */
export function createKeyedTransformer(provider: LocalProvider, keys: readonly NamedKey[]): Transformer {
  const ciphers = keys.map(
    ({ name, secret }): KeyedCipher => ({
      prefix: Buffer.from(prefixOfKey(provider, name)),
      cipher: localCiphers[provider].create(secret),
    }),
  );
  const [first] = ciphers;
  if (first === undefined) throw new Error(`the provider ${provider} has no key`);
  return {
    encrypt: (value, key) => Buffer.concat([first.prefix, ...first.cipher.encrypt(value, key)]),
    decrypt(stored, key) {
      let failure: unknown;
      // Two keys may have one name, as while a secret is replaced, or names of which one begins the other.
      for (const each of ciphers) {
        if (!beginsWith(stored, each.prefix)) continue;
        try {
          return decryptWith(each, stored, key, each !== first);
        } catch (thrown) {
          failure ??= thrown;
        }
      }
      throw failure ?? new Error('no key of this name');
    },
  };
}

function decryptWith(
  { prefix, cipher }: KeyedCipher,
  stored: Uint8Array,
  key: StorageKey,
  isStale: boolean,
): Decrypted {
  return { value: cipher.decrypt(stored.subarray(prefix.length), key), isStale };
}

/** The provider `identity`: values in plaintext. It refuses values that another provider encrypted. */
export const identityTransformer: Transformer = {
  encrypt: value => value,
  decrypt(stored) {
    if (isEncrypted(stored)) throw new Error('the value is encrypted');
    return { value: stored, isStale: false };
  },
};
