import type { ApiObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { collectionPath, objectPath } from '../discovery/resource-path.ts';
import type { CountedType } from './counted-types.ts';

/** What the controller of quotas asks of the API. */
export interface QuotaApi {
  /** The quota as it is now; undefined when there is none. */
  quota(namespace: string, name: string): Promise<ApiObject | undefined>;
  /** Writes the status; false when the quota has changed since it was read, or is gone. */
  writeStatus(quota: ApiObject): Promise<boolean>;
  /** The objects of a type in a namespace, as of one moment after the call; none of a type that is not served. */
  objects(type: CountedType, namespace: string): AsyncIterable<ApiObject>;
  /** How many there are. */
  count(type: CountedType, namespace: string): Promise<number>;
}

interface Page {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly ApiObject[];
}

const quotas = { group: '', version: 'v1', resource: 'resourcequotas' };
const pageSize = 500;

/** Asks through a client of the public API. */
export function createQuotaApi(client: Pick<ApiClient, 'request'>, signal: AbortSignal): QuotaApi {
  const get = <T>(path: string) => foundOr404(() => client.request<T>({ method: 'GET', path, signal }));

  async function pathOf({ group, resource }: CountedType, namespace: string): Promise<string | undefined> {
    if (group === '') return collectionPath({ group, version: 'v1', resource }, namespace);
    const found = await get<{ readonly preferredVersion?: { readonly version: string } }>(`/apis/${group}`);
    const version = found?.preferredVersion?.version;
    return version && collectionPath({ group, version, resource }, namespace);
  }

  async function* pages(type: CountedType, namespace: string, firstSize: number): AsyncIterable<Page> {
    const path = await pathOf(type, namespace);
    if (path === undefined) return;
    let token = '';
    let size = firstSize;
    do {
      const page = await get<Page>(
        `${path}?limit=${size}${token && `&continue=${encodeURIComponent(token)}`}`,
      );
      if (page === undefined) return;
      yield page;
      token = page.metadata.continue ?? '';
      size = pageSize;
    } while (token !== '');
  }

  return {
    quota: (namespace, name) => get<ApiObject>(objectPath(quotas, namespace, name)),
    async writeStatus(quota) {
      const { namespace = '', name = '' } = quota.metadata;
      const path = `${objectPath(quotas, namespace, name)}/status`;
      try {
        await client.request({ method: 'PUT', path, body: quota, signal });
        return true;
      } catch (error) {
        if (error instanceof StatusError && (error.code === 409 || error.code === 404)) return false;
        throw error;
      }
    },
    async *objects(type, namespace) {
      for await (const page of pages(type, namespace, pageSize)) yield* page.items;
    },
    async count(type, namespace) {
      let count = 0;
      for await (const { items, metadata } of pages(type, namespace, 1)) {
        count += items.length;
        // The first page says how many come after it, unless the server is told not to.
        if (metadata.remainingItemCount !== undefined) return count + metadata.remainingItemCount;
      }
      return count;
    },
  };
}

async function foundOr404<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}
