import { groups } from '@binnacle/api-names';
import {
  isStorageError,
  type Revision,
  type Storage,
  type StorageKey,
  type Transaction,
} from '@binnacle/storage-contract';
import type { Metrics } from '@binnacle/telemetry';

/** The subject of a request to the store, under the names of kube-apiserver's metrics. */
interface StorageRequest {
  /** get, list, create, update, delete. */
  readonly operation: string;
  /** The resource of the keys, `deployments.apps`; "" for keys that are no objects'. */
  readonly type: string;
}

/** One call of the store. */
interface MeasuredCall<T> {
  /** Operation of the backend: `type-revision`, `transact`, … */
  readonly operation: string;
  /** Subject of the call, where it is a request for objects. */
  readonly request?: StorageRequest;
  readonly outcomeOf?: (result: T) => string;
}

/** Prefix of the keys of definitions; the rest is the defined resource, in the form of `resourceOfKey`. */
const definitionPrefix = `/${groups.apiextensions}/customresourcedefinitions//`;

/**
 * Wraps a store with metrics of the duration and outcome of its calls, by backend (`binnacle_storage_backend_seconds`) and, as
 * monitoring of kube-apiserver expects it, by resource (`etcd_request_duration_seconds`).
 */
export function measuredStorage(storage: Storage, metrics: Metrics, backend: string): Storage {
  const durations = backendDurations(metrics);
  const requests = createStorageRequestMetrics(metrics);
  function measure<T>({ operation, request, outcomeOf }: MeasuredCall<T>, work: Promise<T>): Promise<T> {
    const start = performance.now();
    const note = (outcome: string): void => {
      const seconds = (performance.now() - start) / 1000;
      durations.labels(backend, operation, outcome).observe(seconds);
      if (request !== undefined) requests.ended(request, seconds);
    };
    return work.then(
      result => {
        note(outcomeOf?.(result) ?? 'ok');
        return result;
      },
      (thrown: unknown) => {
        note(isStorageError(thrown) ? thrown.kind : 'error');
        throw thrown;
      },
    );
  }
  const forgetTypes = (deletes: readonly StorageKey[]): void => {
    for (const key of deletes)
      if (key.startsWith(definitionPrefix)) requests.forget(key.slice(definitionPrefix.length));
  };
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
    transact(transaction, call) {
      const { deletes } = transaction;
      return measure(
        {
          operation: 'transact',
          request: describeTransaction(transaction),
          outcomeOf({ committed }) {
            forgetTypes(deletes);
            return committed ? 'committed' : 'refused';
          },
        },
        storage.transact(transaction, call),
      );
    },
    typeRevision: (typePrefix, call) =>
      measure({ operation: 'type-revision' }, storage.typeRevision(typePrefix, call)),
    changes: (start, call) => storage.changes(start, call),
    compact: (revision, call) => measure({ operation: 'compact' }, storage.compact(revision, call)),
    ...(storage.space === undefined ? {} : { space: storage.space }),
  };
}

/** Wraps the current revisions of a store in this process with the metrics of `typeRevision`. */
export function measuredRevision(
  { currentRevision }: { currentRevision(typePrefix: StorageKey | undefined): Revision },
  metrics: Metrics,
  backend: string,
): (typePrefix: StorageKey | undefined) => Revision {
  const duration = backendDurations(metrics).labels(backend, 'type-revision', 'ok');
  return typePrefix => {
    const start = performance.now();
    const revision = currentRevision(typePrefix);
    duration.observe((performance.now() - start) / 1000);
    return revision;
  };
}

function backendDurations(metrics: Metrics) {
  return metrics.histogram({
    name: 'binnacle_storage_backend_seconds',
    help: 'Duration of requests to the storage backend, by operation and outcome.',
    labelNames: ['backend', 'operation', 'outcome'],
  });
}

/** The metrics of requests for objects. */
interface StorageRequestMetrics {
  ended(request: StorageRequest, seconds: number): void;
  /** Counts a list and its records. */
  listed(resource: string, records: number): void;
  /** Removes the series of a custom type whose definition was deleted. */
  forget(type: string): void;
}

/** Registers the store metrics that monitoring of kube-apiserver expects, whichever backend the store has. */
function createStorageRequestMetrics(metrics: Metrics): StorageRequestMetrics {
  const durations = metrics.histogram({
    name: 'etcd_request_duration_seconds',
    help: 'Duration of requests to the store, by operation and type of the objects.',
    labelNames: ['operation', 'type'],
  });
  const list = (name: string, help: string) => metrics.counter({ name, help, labelNames: ['resource'] });
  const lists = list('apiserver_storage_list_total', 'Lists read from the store.');
  const fetched = list(
    'apiserver_storage_list_fetched_objects_total',
    'Objects that lists read from the store.',
  );
  const returned = list(
    'apiserver_storage_list_returned_objects_total',
    'Objects that lists of the store returned.',
  );
  return {
    ended: ({ operation, type }, seconds) => durations.labels(operation, type).observe(seconds),
    listed(resource, records) {
      lists.labels(resource).inc();
      fetched.labels(resource).inc(records);
      returned.labels(resource).inc(records);
    },
    forget(type) {
      for (const label of ['type', 'resource']) metrics.removeSeries({ [label]: type });
    },
  };
}

/** Returns the resource of a key or key prefix: `/apps/deployments/…` is `deployments.apps`. */
export function resourceOfKey(key: string): string {
  const groupEnd = key.indexOf('/', 1);
  if (groupEnd < 0 || key.startsWith('_', 1)) return '';
  const group = key.slice(1, groupEnd);
  const end = key.indexOf('/', groupEnd + 1);
  const resource = key.slice(groupEnd + 1, end < 0 ? undefined : end);
  if (resource === '') return '';
  return group === 'core' ? resource : `${resource}.${group}`;
}

/** Describes a transaction by the first object that it writes. */
export function describeTransaction({ preconditions, puts, deletes }: Transaction): StorageRequest {
  const [put] = puts;
  if (put === undefined) return { operation: 'delete', type: resourceOfKey(deletes[0] ?? '') };
  const isNew = preconditions.some(({ key, revision }) => key === put.key && revision === 0);
  return { operation: isNew ? 'create' : 'update', type: resourceOfKey(put.key) };
}
