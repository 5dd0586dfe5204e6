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

/** The keys and rules by which a service encrypts and decrypts records. */
export interface FeedEncryption {
  /** Undefined: records are in plaintext, and encrypted ones are refused. */
  readonly keys: FeedKeys | undefined;
  /** Accepts plaintext records although there are keys, while encryption is being introduced. */
  readonly acceptUnencrypted: boolean;
}

/** No encryption: records are written and read in plaintext. */
export const unencryptedFeed: FeedEncryption = { keys: undefined, acceptUnencrypted: false };

/** The reasons for which a record is refused. */
export const recordRefusals = [
  /** The record is in plaintext, and this service has keys. */
  'unencrypted',
  /** The record is encrypted, and this service has no keys. */
  'encrypted',
  /** The encryption header is invalid. */
  'malformed',
  /** The record is encrypted with a key that this service does not have. */
  'unknown-key',
  /** Authentication fails: the value, the partition, the key or the header was changed. */
  'forged',
] as const;

/** Why a record is refused. */
export type RecordRefusal = (typeof recordRefusals)[number];

/** The outcome of opening a record. */
export type OpenedRecord =
  | {
      readonly kind: 'opened';
      readonly value: Buffer;
      /** Whether the record follows the one before it in its session; false: records may be missing. */
      readonly follows: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: RecordRefusal };

/** Maximum number of writer sessions kept for each partition, and of session keys for all partitions. */
const maxSessions = 64;
const maxSessionKeys = 256;

interface PartitionState {
  /** Next sequence number of each session. */
  readonly sessions: BoundedMap<string, number>;
  /** Whether a record was refused since the last accepted one. */
  hasRefused: boolean;
}

/**
 * Decrypts the records of one topic for one reader, in the order in which the reader receives them.
 *
 * A record can be decrypted only in the topic and partition, and with the record key, for which it was encrypted. Its
 * sequence number shows whether it follows the previous one: records of untrusted writers are refused without further
 * effect, while a genuine record that was changed or removed leaves a gap. Copies of genuine records are accepted; the
 * revisions inside show that they are old.
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

  /** Decrypts the next record of a partition. */
  open(partition: number, record: TopicRecord): OpenedRecord {
    const { keys, acceptUnencrypted } = this.#encryption;
    const state = this.#getState(partition);
    if (record.encryptionHeader === undefined) {
      if (keys !== undefined && !acceptUnencrypted) return refuse(state, 'unencrypted');
      const follows = !state.hasRefused;
      state.hasRefused = false;
      return { kind: 'opened', value: record.value, follows };
    }
    if (keys === undefined) return refuse(state, 'encrypted');
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

  /**
   * Finds or derives the key of a session. The caller caches it only after a record was authenticated, since untrusted
   * writers may name any number of sessions.
   */
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

/**
 * Notes the sequence number of a record; returns whether it follows the previous one of its session. A session begins
 * with 0, or where the reader began.
 */
function takeNumber(state: PartitionState, { session, sequence }: EncryptionHeader): boolean {
  const { sessions } = state;
  const expected = sessions.get(session);
  const isFirstOfAll = sessions.size === 0;
  // An earlier number: the reader rereads older records, or the record is a copy.
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
    decipher.final(); // Throws if the tag does not match; the value is used only afterwards.
  } catch {
    return undefined;
  }
  return value;
}
