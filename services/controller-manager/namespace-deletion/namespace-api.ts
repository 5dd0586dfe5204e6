import type { ObjectMeta } from '@binnacle/api-objects';
import type { Namespace, NamespaceStatus } from '@binnacle/api-types/core/v1';
import { type ApiClient, metadataMediaType } from '@binnacle/client';
import { type Discovery, discoverResources } from '../discovery/discover-resources.ts';
import { collectionPath, objectPath, type ServedResource } from '../discovery/resource-path.ts';
import { listPages } from '../requests/list-pages.ts';
import { unlessCode } from '../requests/settled-writes.ts';

/** A collection that a namespace can hold. */
export interface NamespacedResource extends ServedResource {
  readonly verbs: readonly string[];
}

/** The remaining objects of one collection in a namespace. */
export interface Remaining {
  readonly count: number;
  /** Number of objects that wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** The collections that a namespace can hold, and the failures of their discovery. */
interface NamespacedDiscovery extends Pick<Discovery, 'failures' | 'malformed'> {
  readonly resources: readonly NamespacedResource[];
}

/** The API calls of namespace deletion; its decisions need nothing else. */
export interface NamespaceApi {
  /** Reads the current namespace; returns undefined when it is gone. */
  read(name: string): Promise<Namespace | undefined>;
  discover(): Promise<NamespacedDiscovery>;
  /** Deletes the objects of a collection in a namespace: as a collection where the type supports it, else one by one. */
  deleteAll(resource: NamespacedResource, namespace: string): Promise<void>;
  remaining(resource: NamespacedResource, namespace: string): Promise<Remaining>;
  /** Replaces the status, unless the namespace changed meanwhile or is gone. */
  writeStatus(namespace: Namespace, status: NamespaceStatus): Promise<void>;
  /** Replaces `spec.finalizers`, unless the namespace changed meanwhile. */
  finalize(namespace: Namespace, finalizers: readonly string[]): Promise<void>;
}

interface MetadataList {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly { readonly metadata: ObjectMeta }[];
}

const accept = metadataMediaType('PartialObjectMetadataList');

/** Creates the API calls of namespace deletion over a client. */
export function createNamespaceApi(client: ApiClient): NamespaceApi {
  return {
    async read(name): Promise<Namespace | undefined> {
      return unlessCode([404], () =>
        client.request<Namespace>({ method: 'GET', path: objectPath(namespaces, '', name) }),
      );
    },
    async discover(): Promise<NamespacedDiscovery> {
      const { resources, failures, malformed } = await discoverResources(client);
      return { resources: resources.filter(({ namespaced }) => namespaced), failures, malformed };
    },
    deleteAll: (resource, namespace) =>
      resource.verbs.includes('deletecollection')
        ? deleteCollection(client, resource, namespace)
        : deleteEach(client, resource, namespace),
    async remaining(resource, namespace): Promise<Remaining> {
      const finalizers = new Map<string, number>();
      let count = 0;
      for await (const metadata of contents(client, resource, namespace)) {
        count++;
        for (const finalizer of metadata.finalizers ?? [])
          finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
      return { count, finalizers };
    },
    async writeStatus(namespace, status): Promise<void> {
      const path = `${namespacePath(namespace)}/status`;
      await unlessCode([404, 409], () =>
        client.request({ method: 'PUT', path, body: { ...namespace, status } }),
      );
    },
    async finalize(namespace, finalizers): Promise<void> {
      const spec = { ...namespace.spec, finalizers: [...finalizers] };
      const path = `${namespacePath(namespace)}/finalize`;
      await unlessCode([404, 409], () =>
        client.request({ method: 'PUT', path, body: { ...namespace, spec } }),
      );
    },
  };
}

const namespaces: ServedResource = { group: '', version: 'v1', resource: 'namespaces' };

function namespacePath(namespace: Namespace): string {
  return objectPath(namespaces, '', namespace.metadata.name ?? '');
}

/** Options of the deletions: in the background, because dependents are content like any other. */
const deletion = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };

async function deleteCollection(
  client: ApiClient,
  resource: NamespacedResource,
  namespace: string,
): Promise<void> {
  const path = collectionPath(resource, namespace);
  await unlessCode([404, 405], () => client.request({ method: 'DELETE', path, body: deletion, accept }));
}

async function deleteEach(client: ApiClient, resource: NamespacedResource, namespace: string): Promise<void> {
  for await (const { name = '', uid = '' } of contents(client, resource, namespace)) {
    const path = objectPath(resource, namespace, name);
    const body = { ...deletion, preconditions: { uid } };
    await unlessCode([404, 409], () => client.request({ method: 'DELETE', path, body }));
  }
}

/** Lists the metadata of a collection in a namespace; yields nothing when the type is no longer served. */
async function* contents(
  client: ApiClient,
  resource: NamespacedResource,
  namespace: string,
): AsyncIterable<ObjectMeta> {
  const collection = collectionPath(resource, namespace);
  const pages = listPages(query =>
    unlessCode([404, 405], () =>
      client.request<MetadataList>({ method: 'GET', path: collection + query, accept }),
    ),
  );
  for await (const { items } of pages) for (const { metadata } of items) yield metadata;
}
