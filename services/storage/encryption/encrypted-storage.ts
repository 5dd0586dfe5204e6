import type { CallContext } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import {
  type Change,
  type ChangeBatch,
  type ChangesStart,
  isStorageError,
  type Storage,
  StorageError,
  type StorageKey,
  type StorageRecord,
  type Transaction,
} from '@binnacle/storage-contract';
import type { Decrypted, Transformer } from './ciphers/transformer.ts';

/** Options of encrypted storage. */
interface EncryptedStorageOptions {
  readonly storage: Storage;
  /** Finds the transformer of a type by the prefix of its keys; undefined: its values are stored as they are. */
  readonly transformerOf: (typePrefix: string) => Transformer | undefined;
  /** Called with each stored value that no provider can decrypt. */
  readonly onUnreadable: (key: StorageKey, reason: string) => void;
}

/**
 * Wraps a store so that it has the values of some types encrypted. Keys, revisions and reserved keys stay as they are; values of other
 * types are passed on without a copy.
 *
 * A record that cannot be decrypted fails a read with `unreadable`, and a list of it too. A change of one is passed on without its values
 * and as `isUnreadable`, so that its readers list the type; the stream goes on. A key service that does not answer fails the call.
 */
export function encryptedStorage(options: EncryptedStorageOptions): Storage {
  const { storage } = options;
  const { transformerFor, readable, readableChange } = createReader(options);
  return {
    ...storage,
    async get(key, call) {
      const { record, revision } = await storage.get(key, call);
      return { record: record && (await readable(record)), revision };
    },
    async list(query, call) {
      const page = await storage.list(query, call);
      // A prefix within a type selects records of it alone.
      if (isWithinType(query.prefix) && transformerFor(query.prefix) === undefined) return page;
      return { ...page, records: await all(page.records.map(readable)) };
    },
    async transact(transaction, call) {
      const encrypting = encryptPuts(transaction, transformerFor);
      const puts = encrypting instanceof Promise ? await encrypting : encrypting;
      const outcome = await storage.transact(
        puts === undefined ? transaction : { ...transaction, puts },
        call,
      );
      if (outcome.committed || outcome.current === undefined) return outcome;
      return { ...outcome, current: await readable(outcome.current) };
    },
    async *changes(start: ChangesStart, call: CallContext): AsyncIterable<ChangeBatch> {
      for await (const batch of storage.changes(start, call)) {
        if (!batch.changes.some(({ key }) => transformerFor(key) !== undefined)) yield batch;
        else yield { ...batch, changes: await all(batch.changes.map(readableChange)) };
      }
    },
  };
}

/** Creates the functions that decrypt records and changes; each answers without a promise where nothing has to be waited for. */
function createReader({ transformerOf, onUnreadable }: Omit<EncryptedStorageOptions, 'storage'>) {
  const transformerFor = (key: StorageKey): Transformer | undefined => {
    const end = key.indexOf('/', key.indexOf('/', 1) + 1);
    return end < 0 ? undefined : transformerOf(key.slice(0, end + 1));
  };

  function refuse(key: StorageKey, thrown: unknown): never {
    if (isStorageError(thrown)) throw thrown;
    const reason = errorMessage(thrown);
    onUnreadable(key, reason);
    throw new StorageError('unreadable', `unable to transform key "${key}": ${reason}`, { cause: thrown });
  }

  /** Decrypts a value; without a promise where nothing has to be waited for. */
  function decrypt(
    transformer: Transformer,
    stored: Uint8Array,
    key: StorageKey,
  ): Decrypted | Promise<Decrypted> {
    try {
      const decrypting = transformer.decrypt(stored, key);
      return decrypting instanceof Promise ? decrypting.catch(thrown => refuse(key, thrown)) : decrypting;
    } catch (thrown) {
      return refuse(key, thrown);
    }
  }

  function readable(record: StorageRecord): StorageRecord | Promise<StorageRecord> {
    const transformer = transformerFor(record.key);
    if (transformer === undefined) return record;
    const decrypting = decrypt(transformer, record.value, record.key);
    return decrypting instanceof Promise
      ? decrypting.then(decrypted => decryptedRecord(record, decrypted))
      : decryptedRecord(record, decrypting);
  }

  /** Decrypts a value of a change; undefined: no provider can. */
  function tryDecrypt(
    transformer: Transformer,
    stored: Uint8Array,
    key: StorageKey,
  ): Decrypted | undefined | Promise<Decrypted | undefined> {
    if (stored.length === 0) return empty;
    try {
      const decrypting = decrypt(transformer, stored, key);
      return decrypting instanceof Promise ? decrypting.catch(unlessUnreadable) : decrypting;
    } catch (thrown) {
      return unlessUnreadable(thrown);
    }
  }

  function readableChange(change: Change): Change | Promise<Change> {
    const { key, value, previousValue } = change;
    const transformer = transformerFor(key);
    if (transformer === undefined) return change;
    const now = tryDecrypt(transformer, value, key);
    const before = tryDecrypt(transformer, previousValue, key);
    return now instanceof Promise || before instanceof Promise
      ? Promise.all([now, before]).then(decrypted => decryptedChange(change, ...decrypted))
      : decryptedChange(change, now, before);
  }

  return { transformerFor, readable, readableChange };
}

const none = new Uint8Array(0);
const empty: Decrypted = { value: none, isStale: false };

/** Whether a prefix names a group and a resource: `/core/secrets/`. */
function isWithinType(prefix: string): boolean {
  return prefix.split('/', 4).length === 4 && !prefix.startsWith('/_');
}

function decryptedRecord({ key, revision }: StorageRecord, { value, isStale }: Decrypted): StorageRecord {
  return isStale ? { key, value, revision, isStale } : { key, value, revision };
}

function unlessUnreadable(thrown: unknown): undefined {
  if (!isStorageError(thrown, 'unreadable')) throw thrown;
}

function decryptedChange(change: Change, now: Decrypted | undefined, before: Decrypted | undefined): Change {
  return now === undefined || before === undefined
    ? { ...change, value: none, previousValue: none, isUnreadable: true }
    : { ...change, value: now.value, previousValue: before.value };
}

/** Waits for values of which some may be promises; without a turn of the event loop where none is. */
function all<T>(values: (T | Promise<T>)[]): T[] | Promise<T[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as T[]); // None is a promise.
}

type Puts = Transaction['puts'];

function failWrite(key: StorageKey, thrown: unknown): never {
  if (isStorageError(thrown)) throw thrown;
  const reason = errorMessage(thrown);
  throw new StorageError('not-encrypted', `unable to transform key "${key}": ${reason}`, { cause: thrown });
}

/** Encrypts the values of a transaction; undefined: they are stored as they are. */
function encryptPuts(
  { puts }: Transaction,
  transformerFor: (key: StorageKey) => Transformer | undefined,
): Puts | undefined | Promise<Puts> {
  if (!puts.some(({ key }) => transformerFor(key) !== undefined)) return undefined;
  return all<Puts[number]>(
    puts.map(put => {
      const { key } = put;
      const encrypting = transformerFor(key)?.encrypt(put.value, key) ?? put.value;
      return encrypting instanceof Promise
        ? encrypting.then(
            value => ({ key, value }),
            thrown => failWrite(key, thrown),
          )
        : { key, value: encrypting };
    }),
  );
}
