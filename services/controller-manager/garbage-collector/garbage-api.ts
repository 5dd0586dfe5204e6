import type { ObjectMeta } from '@binnacle/api-objects';
import { type ApiClient, type ApiRequestOptions, metadataMediaType } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { objectPath, type ServedResource } from '../discovery/resource-path.ts';

/** The address of an object in the API. */
interface Address {
  readonly type: ServedResource;
  /** Namespace; empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** One state of an object, as the precondition of a change. */
interface ObjectState {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Reads the state from metadata in an answer of the API, which always has both fields. */
export function stateFromMetadata({ uid = '', resourceVersion = '' }: ObjectMeta): ObjectState {
  return { uid, resourceVersion };
}

/** The fate of the dependents of an object that the collector deletes. */
export type Propagation = 'Foreground' | 'Background' | 'Orphan';

/** The outcome of a change with a precondition: other states and other objects stay unchanged. */
export type ChangeOutcome =
  | { readonly kind: 'done'; readonly metadata: ObjectMeta }
  /** The object does not exist. */
  | { readonly kind: 'gone' }
  /** The object has another state by now, or another object has its name. */
  | { readonly kind: 'changed' };

/** The API calls of the collector; its decisions need nothing else. Other failures are thrown. */
export interface GarbageApi {
  /**
   * Reads the current metadata of an object; returns undefined when the API says that the object does not exist. Throws when the type
   * is not served.
   */
  read(address: Address, signal: AbortSignal): Promise<ObjectMeta | undefined>;
  /** Deletes the object in this state. */
  remove(
    address: Address,
    state: ObjectState,
    options: { readonly propagation: Propagation; readonly signal: AbortSignal },
  ): Promise<ChangeOutcome['kind']>;
  /** Replaces these parts of the metadata of the object in this state. */
  replace(
    address: Address,
    state: ObjectState,
    options: {
      readonly metadata: Pick<ObjectMeta, 'ownerReferences' | 'finalizers'>;
      readonly signal: AbortSignal;
    },
  ): Promise<ChangeOutcome>;
}

const accept = metadataMediaType('PartialObjectMetadata');

/** Creates the API calls of the collector over a client. */
export function createGarbageApi(client: Pick<ApiClient, 'request'>): GarbageApi {
  const send = (options: ApiRequestOptions) =>
    client.request<{ readonly metadata: ObjectMeta }>({ ...options, accept });
  return {
    async read(address, signal): Promise<ObjectMeta | undefined> {
      try {
        return (await send({ method: 'GET', path: addressPath(address), signal })).metadata;
      } catch (error) {
        if (saysAbsent(error, address)) return undefined;
        throw error;
      }
    },
    async remove(address, state, { propagation, signal }): Promise<ChangeOutcome['kind']> {
      const { uid, resourceVersion } = state;
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid, resourceVersion },
        propagationPolicy: propagation,
      };
      const change = () => client.request({ method: 'DELETE', path: addressPath(address), body, signal });
      return (await tryChange(address, change)).kind;
    },
    replace(address, { uid, resourceVersion }, { metadata, signal }): Promise<ChangeOutcome> {
      return tryChange(address, () =>
        send({
          method: 'PATCH',
          path: addressPath(address),
          contentType: 'application/merge-patch+json',
          body: { metadata: { ...metadata, uid, resourceVersion } },
          signal,
        }),
      );
    },
  };
}

function addressPath({ type, namespace, name }: Address): string {
  return objectPath(type, namespace, name);
}

async function tryChange(address: Address, change: () => Promise<unknown>): Promise<ChangeOutcome> {
  try {
    // The answer to a change of an object is the object, or a Status, which has metadata as well.
    const { metadata } = (await change()) as { readonly metadata: ObjectMeta };
    return { kind: 'done', metadata };
  } catch (error) {
    if (saysAbsent(error, address)) return { kind: 'gone' };
    if (error instanceof StatusError && error.code === 409) return { kind: 'changed' };
    throw error;
  }
}

/** Whether an answer says that the object does not exist: unlike an answer for an unknown path, it names the object. */
function saysAbsent(error: unknown, { name }: Address): boolean {
  return error instanceof StatusError && error.code === 404 && error.details?.name === name;
}
