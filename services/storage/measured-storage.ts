import type { Metrics } from '@binnacle/service-kit';
import { isStorageError, type Storage } from '@binnacle/storage-contract';

/** A store that counts how long its calls take and how they end: `binnacle_storage_backend_seconds`. */
export function measuredStorage(storage: Storage, metrics: Metrics, backend: string): Storage {
  const durations = metrics.histogram({
    name: 'binnacle_storage_backend_seconds',
    help: 'How long requests to the storage backend take, by operation and outcome.',
    labelNames: ['backend', 'operation', 'outcome'],
  });
  async function measure<T>(
    operation: string,
    work: Promise<T>,
    outcomeOf: (result: T) => string,
  ): Promise<T> {
    const start = performance.now();
    let outcome = 'error';
    try {
      const result = await work;
      outcome = outcomeOf(result);
      return result;
    } catch (thrown) {
      if (isStorageError(thrown)) outcome = thrown.kind;
      throw thrown;
    } finally {
      durations.labels(backend, operation, outcome).observe((performance.now() - start) / 1000);
    }
  }
  const ok = (): string => 'ok';
  return {
    get: (key, call) => measure('get', storage.get(key, call), ok),
    list: (query, call) => measure('list', storage.list(query, call), ok),
    transact: (transaction, call) =>
      measure('transact', storage.transact(transaction, call), ({ committed }) =>
        committed ? 'committed' : 'refused',
      ),
    typeRevision: (typePrefix, call) => measure('type-revision', storage.typeRevision(typePrefix, call), ok),
    changes: (start, call) => storage.changes(start, call),
    compact: (revision, call) => measure('compact', storage.compact(revision, call), ok),
  };
}
