import { createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { BoundedMap } from '@binnacle/event-loop';
import type { TopicRecord } from '../topic/topic-record.ts';
import {
  associatedData,
  createNonce,
  type EncryptionHeader,
  readEncryptionHeader,
} from './encryption-header.ts';
import { type FeedKeys, sessionKey } from './feed-keys.ts';

/** How a service encrypts and opens records. */
export interface FeedEncryption {
  /** Undefined: records are in clear, and encrypted ones are refused. */
  readonly keys: FeedKeys | undefined;
  /** Records in clear are read although there are keys: for the time of switching over. */
  readonly acceptUnencrypted: boolean;
}

/** Records are neither encrypted nor opened. */
export const unencryptedFeed: FeedEncryption = { keys: undefined, acceptUnencrypted: false };

/** The reasons for which a record is refused. */
export const recordRefusals = [
  /** It is in clear, and this service has keys. */
  'unsealed',
  /** It is encrypted, and this service has no keys. */
  'sealed',
  /** Its header is none that a publisher writes. */
  'malformed',
  /** It names a key that this service does not have. */
  'unknown-key',
  /** Its value, place or header is not what was encrypted. */
  'forged',
] as const;

/** Why a record is refused. */
export type RecordRefusal = (typeof recordRefusals)[number];

/** The outcome of opening a record. */
export type OpenedRecord =
  | {
      readonly kind: 'opened';
      readonly value: Buffer;
      /** False: records before this one are missing, in a way that the records themselves may not show. */
      readonly follows: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: RecordRefusal };

/** Sessions of writers that are remembered for each partition, and keys of sessions for all. */
const maxSessions = 64;
const maxSessionKeys = 256;

interface PartitionState {
  /** The number that comes next in each session. */
  readonly sessions: BoundedMap<string, number>;
  /** A record was refused since one in clear was accepted. */
  hasRefused: boolean;
}

/**
 * Opens the records of one topic for one reader, in the order in which it reads them.
 *
 * A record opens only in the topic, partition and under the key that it was encrypted for, and its number shows whether it
 * follows the one before it: records of strangers in between are refused and do no more harm, while a genuine record
 * that was changed or taken away leaves a hole. Copies of genuine records open again; the revisions inside show them to
 * be old.
 */
export class RecordOpener {
  readonly #encryption: FeedEncryption;
  readonly #topic: string;
  readonly #sessionKeys = new BoundedMap<string, KeyObject>(maxSessionKeys);
  readonly #partitions = new Map<number, PartitionState>();

  constructor(encryption: FeedEncryption, topic: string) {
    this.#encryption = encryption;
    this.#topic = topic;
  }

  /** Opens the next record of a partition. */
  open(partition: number, record: TopicRecord): OpenedRecord {
    const { keys, acceptUnencrypted } = this.#encryption;
    const state = this.#getState(partition);
    if (record.encryptionHeader === undefined) {
      if (keys !== undefined && !acceptUnencrypted) return refuse(state, 'unsealed');
      const follows = !state.hasRefused;
      state.hasRefused = false;
      return { kind: 'opened', value: record.value, follows };
    }
    if (keys === undefined) return refuse(state, 'sealed');
    const header = readEncryptionHeader(record.encryptionHeader);
    if (header === undefined) return refuse(state, 'malformed');
    const key = this.#findSessionKey(header, keys);
    if (key === undefined) return refuse(state, 'unknown-key');
    const value = decrypt(key, header, associatedData(this.#topic, partition, record.key), {
      partition,
      encrypted: record.value,
    });
    if (value === undefined) return refuse(state, 'forged');
    this.#sessionKeys.set(header.session, key);
    return { kind: 'opened', value, follows: takeNumber(state, header) };
  }

  #getState(partition: number): PartitionState {
    const present = this.#partitions.get(partition);
    if (present !== undefined) return present;
    const state: PartitionState = { sessions: new BoundedMap(maxSessions), hasRefused: false };
    this.#partitions.set(partition, state);
    return state;
  }

  /** Strangers may name any number of sessions: only those of records that opened are remembered. */
  #findSessionKey(header: EncryptionHeader, { byId }: FeedKeys): KeyObject | undefined {
    const present = this.#sessionKeys.get(header.session);
    if (present !== undefined) return present;
    const key = byId.get(header.keyId);
    return key && createSecretKey(sessionKey(key, header.salt));
  }
}

function refuse(state: PartitionState, reason: RecordRefusal): OpenedRecord {
  state.hasRefused = true;
  return { kind: 'refused', reason };
}

/** Whether a record follows what was read of its session; a session begins with 0, or where the reader began. */
function takeNumber(state: PartitionState, { session, sequence }: EncryptionHeader): boolean {
  const { sessions } = state;
  const expected = sessions.get(session);
  const isFirstOfAll = sessions.size === 0;
  // An earlier number: the reader went back, or a record was copied.
  if (expected !== undefined && sequence < expected) return true;
  sessions.set(session, sequence + 1);
  state.hasRefused = false;
  return expected === undefined ? sequence === 0 || isFirstOfAll : sequence === expected;
}

function decrypt(
  key: KeyObject,
  header: EncryptionHeader,
  data: Buffer,
  { partition, encrypted }: { readonly partition: number; readonly encrypted: Buffer },
): Buffer | undefined {
  const nonce = createNonce(partition, header.sequence);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
  decipher.setAAD(data);
  decipher.setAuthTag(header.tag);
  const value = decipher.update(encrypted);
  try {
    decipher.final(); // Throws when the tag does not fit; the value is used only after it.
  } catch {
    return undefined;
  }
  return value;
}
