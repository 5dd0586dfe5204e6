import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';

/** An object in a known state, and the finalizer to remove. */
interface Release {
  readonly path: string;
  readonly object: ApiObject;
  readonly finalizer: string;
}

/** Removes a finalizer from an object; one that has changed meanwhile gets another pass, and a deleted one is done. */
export async function releaseObject(
  { path, object, finalizer }: Release,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { uid = '', resourceVersion = '', finalizers = [] } = object.metadata;
  const rest = finalizers.filter(each => each !== finalizer);
  try {
    await client.request({
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: { metadata: { uid, resourceVersion, finalizers: rest } },
      signal,
    });
    return done;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.code === 404) return done;
    if (error.code === 409) return retry;
    throw error;
  }
}
