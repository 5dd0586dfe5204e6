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
  readonly #topic: string;
  readonly #keyId: Buffer;
  readonly #salt = randomBytes(saltBytes);
  readonly #sessionKey: KeyObject;
  readonly #sequences = new Map<number, number>();

  constructor(keys: FeedKeys, topic: string) {
    this.#topic = topic;
    this.#keyId = keys.encryption.id;
    this.#sessionKey = createSecretKey(sessionKey(keys.encryption, this.#salt));
  }

  /** Encrypts the next record of a partition, into a new buffer, which is the only copy. */
  encrypt({ partition, key, value }: RecordToEncrypt): EncryptedRecord {
    const sequence = this.#sequences.get(partition) ?? 0;
    this.#sequences.set(partition, sequence + 1);
    const cipher = createCipheriv('aes-256-gcm', this.#sessionKey, createNonce(partition, sequence));
    cipher.setAAD(associatedData(this.#topic, partition, key));
    const encrypted = cipher.update(value);
    cipher.final(); // Returns no bytes: GCM is a stream cipher mode.
    const encryptionHeader = writeEncryptionHeader(this.#keyId, this.#salt, {
      sequence,
      tag: cipher.getAuthTag(),
    });
    return { value: encrypted, encryptionHeader };
  }
}
