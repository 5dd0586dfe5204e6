import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { ownBytes, type StorageKey } from '@binnacle/storage-contract';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

/** The providers whose keys are in the configuration file. */
export type LocalProvider = 'aescbc' | 'aesgcm' | 'secretbox';

/** A cipher with its key. */
export interface Cipher {
  encrypt(value: Uint8Array, key: StorageKey): Uint8Array[];
  /** Throws if the bytes are not of this key or were changed, as far as the cipher can tell. The result has memory of its own. */
  decrypt(data: Uint8Array, key: StorageKey): Uint8Array;
}

/** The ciphers of the local providers, in the formats of kube-apiserver 1.26. */
export const localCiphers: {
  readonly [provider in LocalProvider]: {
    /** The accepted lengths of secrets, in bytes. */
    readonly keyBytes: readonly number[];
    readonly create: (secret: Buffer) => Cipher;
  };
} = {
  aescbc: { keyBytes: [16, 24, 32], create: secret => createAesCbc(createSecretKey(secret), secret.length) },
  aesgcm: { keyBytes: [16, 24, 32], create: secret => createAesGcm(createSecretKey(secret), secret.length) },
  secretbox: { keyBytes: [32], create: createSecretbox },
};

const blockBytes = 16;

/** IV of 16 bytes, then AES-CBC with the padding of PKCS #7. Not authenticated: changed bytes may decrypt to other ones. */
function createAesCbc(secret: KeyObject, keyBytes: number): Cipher {
  const algorithm = `aes-${keyBytes * 8}-cbc`;
  return {
    encrypt(value) {
      const iv = randomBytes(blockBytes);
      const cipher = createCipheriv(algorithm, secret, iv);
      return [iv, cipher.update(value), cipher.final()];
    },
    decrypt(data) {
      if (data.length < 2 * blockBytes || data.length % blockBytes !== 0)
        throw new Error('the stored data has no whole blocks');
      const decipher = createDecipheriv(algorithm, secret, data.subarray(0, blockBytes));
      const first = decipher.update(data.subarray(blockBytes));
      const last = decipher.final();
      const value = Buffer.allocUnsafeSlow(first.length + last.length);
      first.copy(value);
      last.copy(value, first.length);
      return value;
    },
  };
}

const gcmNonceBytes = 12;
const tagBytes = 16;

/** Nonce of 12 random bytes, AES-GCM with the storage key as additional data, tag of 16 bytes. */
function createAesGcm(secret: KeyObject, keyBytes: number): Cipher {
  const algorithm = `aes-${keyBytes * 8}-gcm` as 'aes-256-gcm'; // One of three, which the types do not form from a number.
  return {
    encrypt(value, key) {
      const nonce = randomBytes(gcmNonceBytes);
      const cipher = createCipheriv(algorithm, secret, nonce);
      cipher.setAAD(Buffer.from(key));
      const encrypted = cipher.update(value);
      cipher.final(); // Returns no bytes: GCM is a stream cipher mode.
      return [nonce, encrypted, cipher.getAuthTag()];
    },
    decrypt(data, key) {
      if (data.length < gcmNonceBytes + tagBytes) throw new Error('the stored data is too short');
      const end = data.length - tagBytes;
      const decipher = createDecipheriv(algorithm, secret, data.subarray(0, gcmNonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(key));
      decipher.setAuthTag(data.subarray(end));
      const value = decipher.update(data.subarray(gcmNonceBytes, end));
      decipher.final();
      return ownBytes(value);
    },
  };
}

const secretboxNonceBytes = 24;

/** Nonce of 24 random bytes, then XSalsa20-Poly1305 with its tag first. It authenticates the value, not its place. */
function createSecretbox(secret: Buffer): Cipher {
  return {
    encrypt(value) {
      const nonce = randomBytes(secretboxNonceBytes);
      return [nonce, xsalsa20poly1305(secret, nonce).encrypt(value)];
    },
    decrypt(data) {
      if (data.length < secretboxNonceBytes + tagBytes) throw new Error('the stored data is too short');
      const cipher = xsalsa20poly1305(secret, data.subarray(0, secretboxNonceBytes));
      return ownBytes(cipher.decrypt(data.subarray(secretboxNonceBytes)));
    },
  };
}
