import type { Metrics } from '@binnacle/service-kit';
import type { Transaction } from '@binnacle/storage-contract';

/** What a request to the store was about, under the names of kube-apiserver's metrics. */
export interface StorageRequest {
  /** get, list, create, update, delete. */
  readonly operation: string;
  /** The resource of the keys, `deployments.apps`; "" for keys that are no objects'. */
  readonly type: string;
}

/** What is measured of requests for objects. */
interface StorageRequestMetrics {
  ended(request: StorageRequest, seconds: number): void;
  /** A list gave so many records. */
  listed(resource: string, records: number): void;
  /** A definition of custom objects is gone, and so are the series of its objects. */
  forget(type: string): void;
}

/** Registers the store metrics that monitoring of kube-apiserver expects, whichever backend the store has. */
export function createStorageRequestMetrics(metrics: Metrics): StorageRequestMetrics {
  const durations = metrics.histogram({
    name: 'etcd_request_duration_seconds',
    help: 'How long requests to the store take, by operation and type of the objects.',
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
    'Objects that lists of the store gave.',
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

/** Keys of definitions; what follows is the resource that they define, as `resourceOfKey` calls it. */
export const definitionPrefix = '/apiextensions.cluster.io/customresourcedefinitions//';

/** The resource of a key, or of the prefix of keys: `/apps/deployments/…` is `deployments.apps`. */
export function resourceOfKey(key: string): string {
  const [, group = '', resource = ''] = key.split('/', 3);
  if (resource === '' || group.startsWith('_')) return '';
  return group === 'core' ? resource : `${resource}.${group}`;
}

/** What a transaction does to its object: the first that it writes. */
export function requestOf({ preconditions, puts, deletes }: Transaction): StorageRequest {
  const [put] = puts;
  if (put === undefined) return { operation: 'delete', type: resourceOfKey(deletes[0] ?? '') };
  const isNew = preconditions.some(({ key, revision }) => key === put.key && revision === 0);
  return { operation: isNew ? 'create' : 'update', type: resourceOfKey(put.key) };
}
