import { finalizers as finalizerNames } from '@binnacle/api-names';
import type { PersistentVolume } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { releaseObject } from './release-object.ts';

/** The finalizer that keeps a volume for as long as it is bound to a claim. */
const volumeFinalizer = finalizerNames.persistentVolume;

/** Lets a volume go that is being deleted, once it is not bound. */
export async function releaseVolume(
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
