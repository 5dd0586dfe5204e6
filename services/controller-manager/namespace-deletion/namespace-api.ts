import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';

/** A collection that a namespace can hold. */
export interface NamespacedResource {
  /** Group as in paths, "" for core. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** What is left of one collection in a namespace. */
export interface Remaining {
  readonly count: number;
  /** How many objects wait for each finalizer. */
  readonly finalizers: Readonly<Record<string, number>>;
}

/** What namespace deletion asks of the API; its decisions need nothing else. */
export interface NamespaceApi {
  /** The namespace as it is now, undefined when it is gone. */
  read(name: string): Promise<ApiObject | undefined>;
  discover(): Promise<{
    readonly resources: readonly NamespacedResource[];
    readonly failures: readonly string[];
  }>;
  deleteAll(resource: NamespacedResource, namespace: string): Promise<void>;
  remaining(resource: NamespacedResource, namespace: string): Promise<Remaining>;
  /** Replaces the status; a namespace that changed meanwhile or is gone is left alone. */
  writeStatus(namespace: ApiObject, status: JsonObject): Promise<void>;
  /** Removes one entry of `spec.finalizers`; a namespace that changed meanwhile is left alone. */
  finalize(namespace: ApiObject, finalizers: readonly string[]): Promise<void>;
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly preferredVersion: { readonly version: string };
  }[];
}

interface ObjectList {
  readonly metadata: { readonly remainingItemCount?: number };
  readonly items: readonly ApiObject[];
}

/** The API as namespace deletion sees it, over a client. */
export function createNamespaceApi(client: ApiClient): NamespaceApi {
  return {
    async read(name): Promise<ApiObject | undefined> {
      return unlessCode([404], () =>
        client.request<ApiObject>({ method: 'GET', path: `/api/v1/namespaces/${name}` }),
      );
    },
    discover: () => discover(client),
    async deleteAll(resource, namespace): Promise<void> {
      await unlessCode([404, 405], () =>
        client.request({
          method: 'DELETE',
          path: collectionPath(resource, namespace),
          body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
        }),
      );
    },
    async remaining(resource, namespace): Promise<Remaining> {
      const path = `${collectionPath(resource, namespace)}?limit=500`;
      const list = await unlessCode([404, 405], () => client.request<ObjectList>({ method: 'GET', path }));
      const finalizers: Record<string, number> = {};
      for (const object of list?.items ?? []) {
        for (const finalizer of object.metadata.finalizers ?? [])
          finalizers[finalizer] = (finalizers[finalizer] ?? 0) + 1;
      }
      return { count: (list?.items.length ?? 0) + (list?.metadata.remainingItemCount ?? 0), finalizers };
    },
    async writeStatus(namespace, status): Promise<void> {
      const path = `/api/v1/namespaces/${namespace.metadata.name}/status`;
      await unlessCode([404, 409], () =>
        client.request({ method: 'PUT', path, body: { ...namespace, status } }),
      );
    },
    async finalize(namespace, finalizers): Promise<void> {
      const path = `/api/v1/namespaces/${namespace.metadata.name}/finalize`;
      const body = {
        ...namespace,
        spec: { ...(namespace['spec'] as JsonObject), finalizers: [...finalizers] },
      };
      await unlessCode([404, 409], () => client.request({ method: 'PUT', path, body }));
    },
  };
}

async function discover(client: ApiClient): ReturnType<NamespaceApi['discover']> {
  const { groups } = await client.request<GroupList>({ method: 'GET', path: '/apis' });
  const names = new Set(groups.map(group => group.name));
  const versions = groups
    .filter(({ name }) => !isOtherName(name, names))
    .map(group => ({ group: group.name, version: group.preferredVersion.version }));
  const failures: string[] = [];
  const lists = await Promise.all(
    [{ group: '', version: 'v1' }, ...versions].map(async ({ group, version }) => {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      try {
        const { resources } = await client.request<ResourceList>({ method: 'GET', path });
        return resources
          .filter(({ name, namespaced }) => namespaced && !name.includes('/'))
          .map(({ name, verbs }) => ({ group, version, resource: name, verbs }));
      } catch (error) {
        failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }
    }),
  );
  return { resources: lists.flat(), failures };
}

/** Whether a group has the same objects as one that is listed under its own name. */
function isOtherName(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('.k8s.io') && names.has(name.replace(/\.k8s\.io$/, '.cluster.io'));
}

function collectionPath({ group, version, resource }: NamespacedResource, namespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/namespaces/${namespace}/${resource}`;
}

async function unlessCode<T>(codes: readonly number[], request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof StatusError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
