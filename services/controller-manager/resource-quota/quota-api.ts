import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceQuota } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { collectionPath, objectPath } from '../discovery/resource-path.ts';
import { listPages } from '../requests/list-pages.ts';
import { unlessCode } from '../requests/settled-writes.ts';
import type { CountedType } from './counted-types.ts';

/** The API calls of the quota controller. */
export interface QuotaApi {
  /** Reads the current quota; returns undefined when there is none. */
  quota(namespace: string, name: string): Promise<ResourceQuota | undefined>;
  /** Writes the status; returns false when the quota has changed since it was read, or is gone. */
  writeStatus(quota: ResourceQuota): Promise<boolean>;
  /** Reads the quota at a resourceVersion; returns undefined when there was none or the resourceVersion is too old. */
  quotaAt(namespace: string, name: string, resourceVersion: string): Promise<ResourceQuota | undefined>;
  /**
   * Visits the objects of a type in a namespace, as of one resourceVersion after the call, which it returns; undefined for a type that
   * is not served.
   */
  visit(
    type: CountedType,
    namespace: string,
    visitor: (object: ApiObject) => void,
  ): Promise<string | undefined>;
  /** Counts the objects of a type in a namespace, at one resourceVersion; returns undefined for a type that is not served. */
  count(type: CountedType, namespace: string): Promise<CountedObjects | undefined>;
}

/** A number of objects at one resourceVersion. */
interface CountedObjects {
  readonly count: number;
  readonly resourceVersion: string;
}

interface Page {
  readonly metadata: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly resourceVersion: string;
  };
  readonly items: readonly ApiObject[];
}

const quotas = { group: '', version: 'v1', resource: 'resourcequotas' };

/** Creates the API calls of the quota controller over a client. */
export function createQuotaApi(client: Pick<ApiClient, 'request'>, signal: AbortSignal): QuotaApi {
  const get = <T>(path: string) =>
    unlessCode([404], () => client.request<T>({ method: 'GET', path, signal }));

  async function findPath({ group, resource }: CountedType, namespace: string): Promise<string | undefined> {
    if (group === '') return collectionPath({ group, version: 'v1', resource }, namespace);
    const found = await get<{ readonly preferredVersion?: { readonly version: string } }>(`/apis/${group}`);
    const version = found?.preferredVersion?.version;
    return version && collectionPath({ group, version, resource }, namespace);
  }

  async function* pages(type: CountedType, namespace: string, firstSize?: number): AsyncIterable<Page> {
    const path = await findPath(type, namespace);
    if (path !== undefined) yield* listPages(query => get<Page>(path + query), firstSize);
  }

  return {
    quota: (namespace, name) => get<ResourceQuota>(objectPath(quotas, namespace, name)),
    async writeStatus(quota) {
      const { namespace = '', name = '' } = quota.metadata;
      const path = `${objectPath(quotas, namespace, name)}/status`;
      const request = () => client.request<ApiObject>({ method: 'PUT', path, body: quota, signal });
      return (await unlessCode([404, 409], request)) !== undefined;
    },
    async quotaAt(namespace, name, resourceVersion) {
      const exactly = `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
      const path = `${collectionPath(quotas, namespace)}?fieldSelector=metadata.name%3D${name}&${exactly}`;
      const page = await unlessCode([404, 410], () => client.request<Page>({ method: 'GET', path, signal }));
      return page?.items[0];
    },
    async visit(type, namespace, visitor) {
      let resourceVersion: string | undefined;
      for await (const { items, metadata } of pages(type, namespace)) {
        resourceVersion ??= metadata.resourceVersion;
        for (const object of items) visitor(object);
      }
      return resourceVersion;
    },
    async count(type, namespace) {
      let counted: CountedObjects | undefined;
      for await (const { items, metadata } of pages(type, namespace, 1)) {
        const { resourceVersion } = counted ?? metadata;
        const count = (counted?.count ?? 0) + items.length;
        counted = { count, resourceVersion };
        // The first page has the number of remaining objects, unless the server is configured not to count them.
        if (metadata.remainingItemCount !== undefined)
          return { count: count + metadata.remainingItemCount, resourceVersion };
      }
      return counted;
    },
  };
}
