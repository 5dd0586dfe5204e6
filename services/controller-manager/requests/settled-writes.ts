import type { ObjectMeta } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { objectPath, type ServedResource } from '../discovery/resource-path.ts';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';

/** An object and its type. */
interface WrittenObject {
  readonly resource: ServedResource;
  readonly object: { readonly metadata: ObjectMeta };
}

/**
 * Updates an object at its resourceVersion. The change or deletion of an outdated object causes another pass, so that one is no error.
 */
export async function updateUnlessChanged(
  { resource, object }: WrittenObject,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<void> {
  const path = writtenPath({ resource, object });
  await unlessCode([404, 409], () => client.request({ method: 'PUT', path, body: object, signal }));
}

/** Deletes an object at its resourceVersion, like `updateUnlessChanged`. */
export async function deleteUnlessChanged(
  { resource, object }: WrittenObject,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
  const path = writtenPath({ resource, object });
  await unlessCode([404, 409], () => client.request({ method: 'DELETE', path, body, signal }));
}

/** Waits for the answer of a request; returns undefined when its error has one of the codes. */
export async function unlessCode<T>(
  codes: readonly number[],
  request: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof StatusError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/** Creates an object; an existing object and a namespace that is missing or being deleted are no errors. */
export async function createUnlessTerminating(
  { resource, object }: WrittenObject,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<void> {
  const path = writtenPath({ resource, object }).replace(/\/[^/]*$/, '');
  try {
    await client.request({ method: 'POST', path, body: object, signal });
  } catch (error) {
    const isSettled =
      error instanceof StatusError && (error.code === 409 || error.code === 404 || isTerminating(error));
    if (!isSettled) throw error;
  }
}

/**
 * Waits for a write of a pass. A conflict leads to a retry of the pass; in a namespace that is being deleted nothing remains to do.
 */
export async function settle(request: Promise<unknown>): Promise<Reconciled> {
  try {
    await request;
    return done;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (isTerminating(error)) return done;
    if (error.code === 404 || error.code === 409) return retry;
    throw error;
  }
}

function isTerminating(error: StatusError): boolean {
  return error.details?.causes?.some(cause => cause.reason === 'NamespaceTerminating') ?? false;
}

function writtenPath({ resource, object }: WrittenObject): string {
  const { namespace = '', name = '' } = object.metadata;
  return objectPath(resource, namespace, name);
}
