import type { ObjectMeta } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { objectPath, type ServedResource } from '../discovery/resource-path.ts';

/** An object and the type it is of. */
interface WrittenObject {
  readonly resource: ServedResource;
  readonly object: { readonly metadata: ObjectMeta };
}

/**
 * Updates an object as of its resourceVersion. One that has changed since or is gone is left to the pass that its change brings.
 */
export async function updateUnlessChanged(
  { resource, object }: WrittenObject,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<void> {
  const path = writtenPath({ resource, object });
  await unlessCode([404, 409], () => client.request({ method: 'PUT', path, body: object, signal }));
}

/** Deletes an object as of its resourceVersion, like `updateUnlessChanged`. */
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

/** The answer of a request; undefined when its error has one of the codes. */
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

/** Creates an object; one that exists already, and a namespace that is gone or is being deleted, are no error. */
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

function isTerminating(error: StatusError): boolean {
  return error.details?.causes?.some(cause => cause.reason === 'NamespaceTerminating') ?? false;
}

function writtenPath({ resource, object }: WrittenObject): string {
  const { namespace = '', name = '' } = object.metadata;
  return objectPath(resource, namespace, name);
}
