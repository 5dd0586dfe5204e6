import { setTimeout as pause } from 'node:timers/promises';
import { backendRefusalIn } from '@binnacle/backend-access';
import type { CallContext } from '@binnacle/proto';
import { ApiNamesRefusal, createCallContext } from '@binnacle/rpc';
import {
  type ChangeBatch,
  type ChangesStart,
  isStorageError,
  type Storage,
  StorageError,
} from '@binnacle/storage-contract';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import type { ConfiguredTypes } from '../encryption/stored-prefix.ts';
import { readStoreForm, StoreFormRefusal, settleStoreForm } from '../store-form/store-form.ts';
import { searchStoredValues, typesToSearch } from '../store-form/stored-values.ts';
import { settleApiNames } from './settle-api-names.ts';

/** A store that serves calls only once its form is known to be one that this release uses, and its API names those of this process. */
interface GatedStorage {
  readonly storage: Storage;
  /** Whether form and names are known to be those of this process. */
  readonly isSettled: boolean;
  /**
   * Retries until form and names are settled. Rejects with an ApiNamesRefusal or a StoreFormRefusal when the store has others, or has
   * values that this process cannot read; resolves also when the signal aborts.
   */
  settle(signal: AbortSignal): Promise<void>;
}

/** Options of gated storage. */
interface GateOptions {
  readonly storage: Storage;
  readonly log: Logger;
  /** The types of the encryption configuration of this process; undefined: it has none. */
  readonly configured: () => ConfiguredTypes | undefined;
}

const attemptMs = 1_500;
const retryMs = 500;

/**
 * Wraps a store that may not be reachable yet with a check of its form and API names. A call that comes before the check runs the check,
 * and fails as `unavailable` where the store has others; later calls go straight to the store. A refused store stays unchanged.
 */
export function gatedStorage({ storage, log, configured }: GateOptions): GatedStorage {
  let isSettled = false;
  /** Settles the store, unless it has first to be searched for values that this process cannot read. */
  const check = async (call: CallContext): Promise<void> => {
    const form = await readStoreForm(storage, call);
    await settleApiNames(storage, call);
    const own = configured();
    if (typesToSearch(form ?? {}, own).length > 0) return;
    await settleStoreForm(storage, own, call);
    isSettled = true;
  };
  const admit = async (call: CallContext): Promise<void> => {
    try {
      await check(call);
      if (!isSettled)
        throw new StorageError(
          'unavailable',
          'the store is being searched for values that cannot be decrypted',
        );
    } catch (thrown) {
      // The outcome of the record may be unknown, but the call itself was not begun.
      if (!isRefusedStore(thrown) && !isStorageError(thrown, 'unknown-outcome')) throw thrown;
      throw new StorageError('unavailable', thrown.message, { cause: thrown });
    }
  };
  const through = <T>(call: CallContext, send: () => Promise<T>): Promise<T> =>
    isSettled ? send() : admit(call).then(send);
  async function* changesOnceSettled(start: ChangesStart, call: CallContext): AsyncIterable<ChangeBatch> {
    await admit(call);
    yield* storage.changes(start, call);
  }
  return {
    storage: {
      get: (key, call) => through(call, () => storage.get(key, call)),
      list: (query, call) => through(call, () => storage.list(query, call)),
      transact: (transaction, call) => through(call, () => storage.transact(transaction, call)),
      typeRevision: (prefix, call) => through(call, () => storage.typeRevision(prefix, call)),
      changes: (start, call) => (isSettled ? storage.changes(start, call) : changesOnceSettled(start, call)),
      compact: (revision, call) => through(call, () => storage.compact(revision, call)),
      ...(storage.space === undefined ? {} : { space: storage.space }),
    },
    get isSettled() {
      return isSettled;
    },
    async settle(signal) {
      const failures = new FailureLog({
        log,
        failed: 'the form and API names of the store cannot be read, retrying',
      });
      while (!isSettled && !signal.aborted) {
        using call = createCallContext({ timeoutMs: attemptMs, signal });
        try {
          await check(call);
          if (!isSettled) await searchStoredValues(storage, configured(), signal);
        } catch (thrown) {
          if (isRefusedStore(thrown)) throw thrown;
          // The connection logs a refusal once; every attempt meets the same one.
          if (!signal.aborted && backendRefusalIn(thrown) === undefined) failures.failed(thrown);
          await pause(retryMs, undefined, { signal }).catch(() => {});
        }
      }
    },
  };
}

function isRefusedStore(thrown: unknown): thrown is ApiNamesRefusal | StoreFormRefusal {
  return thrown instanceof ApiNamesRefusal || thrown instanceof StoreFormRefusal;
}
