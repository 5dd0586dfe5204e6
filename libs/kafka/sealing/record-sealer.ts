import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { type FeedKeys, sessionKey } from './feed-keys.ts';
import { associatedData, nonceOf, saltBytes, writeSealHeader } from './seal-header.ts';

/** A record whose value is sealed. */
interface SealedRecord {
  readonly value: Buffer;
  readonly seal: Buffer;
}

/** What is sealed. */
interface RecordToSeal {
  readonly partition: number;
  readonly key: string | null;
  readonly value: Uint8Array;
}

/**
 * Seals the records of one session of a writer with AES-256-GCM.
 *
 * The key is derived from the feed key and a random salt of the session, so that publishers that follow or overlap each
 * other never share one; the nonce is the partition and the record's number in it. Nothing random is used twice, and
 * the numbers show readers what is missing. A sealer ends with its writer: a record that may have been sent is
 * never sealed anew under the same number.
 */
export class RecordSealer {
  readonly #topic: string;
  readonly #keyId: Buffer;
  readonly #salt = randomBytes(saltBytes);
  readonly #sessionKey: KeyObject;
  readonly #sequences = new Map<number, number>();

  constructor(keys: FeedKeys, topic: string) {
    this.#topic = topic;
    this.#keyId = keys.sealing.id;
    this.#sessionKey = createSecretKey(sessionKey(keys.sealing, this.#salt));
  }

  /** Seals the next record of a partition. The value is encrypted into a buffer of its own, the only copy made. */
  seal({ partition, key, value }: RecordToSeal): SealedRecord {
    const sequence = this.#sequences.get(partition) ?? 0;
    this.#sequences.set(partition, sequence + 1);
    const cipher = createCipheriv('aes-256-gcm', this.#sessionKey, nonceOf(partition, sequence));
    cipher.setAAD(associatedData(this.#topic, partition, key));
    const sealed = cipher.update(value);
    cipher.final(); // Empty: GCM is a stream.
    const seal = writeSealHeader(this.#keyId, this.#salt, { sequence, tag: cipher.getAuthTag() });
    return { value: sealed, seal };
  }
}
