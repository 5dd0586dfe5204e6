import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { associatedData, createNonce, saltBytes, writeEncryptionHeader } from './encryption-header.ts';
import { type FeedKeys, sessionKey } from './feed-keys.ts';

/** A record whose value is encrypted. */
interface EncryptedRecord {
  readonly value: Buffer;
  readonly encryptionHeader: Buffer;
}

/** A record before its encryption. */
interface RecordToEncrypt {
  readonly partition: number;
  readonly key: string | null;
  readonly value: Uint8Array;
}

/**
 * Encrypts the records of one session of a writer with AES-256-GCM.
 *
 * The key is derived from the feed key and a random salt of the session, so that successive and concurrent publishers
 * never share one; the nonce is the partition and the sequence number of the record in it. No nonce is used twice under
 * one key, and the sequence numbers show readers which records are missing. An encryptor ends with its writer: a record
 * that may have been sent is never encrypted under the same number a second time.
 */
export class RecordEncryptor {
  readonly #keys: () => FeedKeys;
  readonly #topic: string;
  #session: EncryptorSession;

  /** `keys` gives those of the moment: with another key a new session begins. */
  constructor(keys: () => FeedKeys, topic: string) {
    this.#keys = keys;
    this.#topic = topic;
    this.#session = beginSession(keys());
  }

  /** Encrypts the next record of a partition, into a new buffer, which is the only copy. */
  encrypt({ partition, key, value }: RecordToEncrypt): EncryptedRecord {
    const keys = this.#keys();
    if (keys !== this.#session.keys) this.#session = nextSession(this.#session, keys);
    const { keyId, salt, key: ownKey, sequences } = this.#session;
    const sequence = sequences.get(partition) ?? 0;
    sequences.set(partition, sequence + 1);
    const cipher = createCipheriv('aes-256-gcm', ownKey, createNonce(partition, sequence));
    cipher.setAAD(associatedData(this.#topic, partition, key));
    const encrypted = cipher.update(value);
    cipher.final(); // Returns no bytes: GCM is a stream cipher mode.
    const encryptionHeader = writeEncryptionHeader(keyId, salt, {
      sequence,
      tag: cipher.getAuthTag(),
    });
    return { value: encrypted, encryptionHeader };
  }
}

/** A salt, the key that follows from it, and the number of the next record of each partition. */
interface EncryptorSession {
  readonly keys: FeedKeys;
  readonly keyId: Buffer;
  readonly salt: Buffer;
  readonly key: KeyObject;
  readonly sequences: Map<number, number>;
}

function beginSession(keys: FeedKeys): EncryptorSession {
  const salt = randomBytes(saltBytes);
  const key = createSecretKey(sessionKey(keys.encryption, salt));
  return { keys, keyId: keys.encryption.id, salt, key, sequences: new Map() };
}

/** The session after the keys were read anew: the same one where the encrypting key is the same. */
function nextSession(session: EncryptorSession, keys: FeedKeys): EncryptorSession {
  return keys.encryption.id.equals(session.keyId) ? { ...session, keys } : beginSession(keys);
}
