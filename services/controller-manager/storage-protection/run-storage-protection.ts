import { finalizers as finalizerNames } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import type { PersistentVolume } from '@binnacle/api-types/core/v1';
import { type ApiClient, Informer } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { ControllerName } from '../selection/chosen-controllers.ts';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { releaseClaim } from './release-claim.ts';
import { releaseObject } from './release-object.ts';

/** Options of the controllers of volumes and claims. */
interface StorageProtectionOptions {
  readonly client: ApiClient;
  /** The controllers that run. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

/** Growing intervals between checks of an object in use. */
const retryMs = { firstRetryMs: 100, longestRetryMs: 10_000 };

/** Releases volumes and claims that are being deleted once they are no longer in use, until the signal aborts. */
export async function runStorageProtection(
  options: StorageProtectionOptions,
  signal: AbortSignal,
): Promise<void> {
  const all: readonly Protected[] = [
    { controller: 'pvc-protection', path: '/api/v1/persistentvolumeclaims', release: releaseClaim },
    { controller: 'pv-protection', path: '/api/v1/persistentvolumes', release: releaseVolume },
  ];
  const chosen = all.filter(({ controller }) => options.controllers.has(controller));
  await Promise.all(chosen.map(one => follow(one, options, signal)));
}

interface Protected {
  readonly controller: ControllerName;
  /** Path of the collection. */
  readonly path: string;
  readonly release: typeof releaseClaim;
}

async function follow(
  { controller, path, release }: Protected,
  { client, onError }: StorageProtectionOptions,
  signal: AbortSignal,
): Promise<void> {
  const queue = new WorkQueue({
    ...retryMs,
    concurrency: 4,
    reconcile: (key, stop) => {
      const [namespace = '', name = ''] = key.split('/');
      return release(objects.get(namespace, name), client, stop);
    },
    onError: (key, error) => onError(controller, key, error),
  });
  const objects = new Informer({
    client,
    path,
    signal,
    metadataOnly: true,
    onChange: ({ metadata }: ApiObject) => {
      if (metadata.deletionTimestamp) queue.add(`${metadata.namespace ?? ''}/${metadata.name}`);
    },
    onDelete: () => {},
    onError: error => onError(`${controller}-informer`, '', error),
  });
  await Promise.all([objects.run(), queue.run(signal)]);
}

/** The finalizer that keeps a volume while it is bound to a claim. */
const volumeFinalizer = finalizerNames.persistentVolume;

/** Removes the finalizer of a volume that is being deleted, once it is not bound. */
async function releaseVolume(
  volume: PersistentVolume | undefined,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { deletionTimestamp, finalizers = [], name = '' } = volume?.metadata ?? {};
  if (volume === undefined || !deletionTimestamp || !finalizers.includes(volumeFinalizer)) return done;
  const path = `/api/v1/persistentvolumes/${name}`;
  try {
    const object = await client.request<PersistentVolume>({ method: 'GET', path, signal });
    if (object.status?.phase === 'Bound') return retry;
    return await releaseObject({ path, object, finalizer: volumeFinalizer }, client, signal);
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return done;
    throw error;
  }
}
