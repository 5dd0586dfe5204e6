import type { Metrics } from '@binnacle/service-kit';
import { isStorageError, type Storage } from '@binnacle/storage-contract';
import {
  createStorageRequestMetrics,
  definitionPrefix,
  requestOf,
  resourceOfKey,
  type StorageRequest,
} from './request-metrics.ts';

/** One call of the store. */
interface MeasuredCall<T> {
  /** Of the backend: `type-revision`, `transact`, … */
  readonly operation: string;
  /** What it was about, where it is a request for objects. */
  readonly request?: StorageRequest;
  readonly outcomeOf?: (result: T) => string;
}

/**
 * A store that counts how long its calls take and how they end, by backend (`binnacle_storage_backend_seconds`) and, as
 * monitoring of kube-apiserver expects it, by resource (`etcd_request_duration_seconds`).
 */
export function measuredStorage(storage: Storage, metrics: Metrics, backend: string): Storage {
  const durations = metrics.histogram({
    name: 'binnacle_storage_backend_seconds',
    help: 'How long requests to the storage backend take, by operation and outcome.',
    labelNames: ['backend', 'operation', 'outcome'],
  });
  const requests = createStorageRequestMetrics(metrics);
  async function measure<T>(
    { operation, request, outcomeOf }: MeasuredCall<T>,
    work: Promise<T>,
  ): Promise<T> {
    const start = performance.now();
    let outcome = 'error';
    try {
      const result = await work;
      outcome = outcomeOf?.(result) ?? 'ok';
      return result;
    } catch (thrown) {
      if (isStorageError(thrown)) outcome = thrown.kind;
      throw thrown;
    } finally {
      const seconds = (performance.now() - start) / 1000;
      durations.labels(backend, operation, outcome).observe(seconds);
      if (request !== undefined) requests.ended(request, seconds);
    }
  }
  return {
    get(key, call) {
      const request = { operation: 'get', type: resourceOfKey(key) };
      return measure({ operation: 'get', request }, storage.get(key, call));
    },
    async list(query, call) {
      const request = { operation: 'list', type: resourceOfKey(query.prefix) };
      const page = await measure({ operation: 'list', request }, storage.list(query, call));
      requests.listed(request.type, page.records.length);
      return page;
    },
    async transact(transaction, call) {
      const outcome = await measure(
        {
          operation: 'transact',
          request: requestOf(transaction),
          outcomeOf: ({ committed }) => (committed ? 'committed' : 'refused'),
        },
        storage.transact(transaction, call),
      );
      for (const key of transaction.deletes)
        if (key.startsWith(definitionPrefix)) requests.forget(key.slice(definitionPrefix.length));
      return outcome;
    },
    typeRevision: (typePrefix, call) =>
      measure({ operation: 'type-revision' }, storage.typeRevision(typePrefix, call)),
    changes: (start, call) => storage.changes(start, call),
    compact: (revision, call) => measure({ operation: 'compact' }, storage.compact(revision, call)),
  };
}
