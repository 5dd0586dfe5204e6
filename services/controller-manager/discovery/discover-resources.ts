import { splitApiVersion } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { errorMessage } from '@binnacle/status-errors';
import { groupVersionPath, type ServedResource } from './resource-path.ts';

/** A resource type that the API serves. */
export interface DiscoveredResource extends ServedResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Hash that is equal for types with the same stored objects, under another version or group alias. */
  readonly storageVersionHash?: string;
}

/** The resources that the API serves, as far as they could be discovered. */
export interface Discovery {
  /**
   * Every type of stored objects once, in the group that is listed first, and in its preferred version, else in the first one that
   * has it.
   */
  readonly resources: readonly DiscoveredResource[];
  /** The readable types, by apiVersion and kind of owner references: `apps/v1 Deployment`. */
  readonly byKind: ReadonlyMap<string, DiscoveredResource>;
  /** Versions of groups, `apps/v1`, whose types could not be read, with the reasons. */
  readonly failures: readonly DiscoveryFailure[];
  /** Listed names that are no versions of a group: `a/b/c`. */
  readonly malformed: readonly string[];
}

/** A version of a group that could not be discovered. */
interface DiscoveryFailure {
  readonly groupVersion: string;
  readonly message: string;
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly storageVersionHash?: string;
  }[];
}

interface GroupList {
  readonly groups: readonly {
    readonly versions: readonly { readonly groupVersion: string }[];
    readonly preferredVersion?: { readonly groupVersion: string };
  }[];
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Group versions that are requested at a time. */
const parallelRequests = 4;

/**
 * Discovers the resource types that the API serves, those of its extensions included. A version of a group that does not answer is
 * reported among the failures; rejects when the groups themselves cannot be listed.
 */
export async function discoverResources(
  client: Pick<ApiClient, 'request'>,
  signal?: AbortSignal,
): Promise<Discovery> {
  const list = await client.request<GroupList>({ method: 'GET', path: '/apis', ...(signal && { signal }) });
  const malformed: string[] = [];
  const versions: GroupVersion[] = [{ group: '', version: 'v1' }];
  for (const text of list.groups.flatMap(listVersions)) {
    const parsed = groupVersionFrom(text);
    if (parsed === undefined) malformed.push(text);
    else versions.push(parsed);
  }
  const failures: DiscoveryFailure[] = [];
  const found = new Map<GroupVersion, readonly DiscoveredResource[]>();
  const queue = versions.values();
  const worker = async (): Promise<void> => {
    for (const version of queue) {
      try {
        found.set(version, await readResources(version, client, signal));
      } catch (error) {
        const groupVersion = `${version.group}${version.group && '/'}${version.version}`;
        failures.push({ groupVersion, message: errorMessage(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: parallelRequests }, worker));
  return { ...sorted(versions.flatMap(version => found.get(version) ?? [])), failures, malformed };
}

/** Lists the versions of a group, the preferred one first. */
function listVersions({ versions, preferredVersion }: GroupList['groups'][number]): string[] {
  const names = versions.map(({ groupVersion }) => groupVersion);
  return [...new Set(preferredVersion ? [preferredVersion.groupVersion, ...names] : names)];
}

function groupVersionFrom(text: string): GroupVersion | undefined {
  const { group, version } = splitApiVersion(text);
  return group !== '' && version !== '' && !version.includes('/') ? { group, version } : undefined;
}

async function readResources(
  at: GroupVersion,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal | undefined,
): Promise<readonly DiscoveredResource[]> {
  const path = groupVersionPath(at);
  const { resources } = await client.request<ResourceList>({
    method: 'GET',
    path,
    ...(signal && { signal }),
  });
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs, storageVersionHash }) => ({
      ...at,
      resource: name,
      kind,
      namespaced,
      verbs,
      ...(storageVersionHash !== undefined && { storageVersionHash }),
    }));
}

/** Selects and indexes the types; `all` has the preferred version of each group first. */
function sorted(all: readonly DiscoveredResource[]): Pick<Discovery, 'resources' | 'byKind'> {
  const resources = new Map<string, DiscoveredResource>();
  const stored = new Set<string>();
  const byKind = new Map<string, DiscoveredResource>();
  for (const each of all) {
    const name = `${each.group}/${each.resource}`;
    // A group that is also listed under an alias has the same objects: its own name comes first.
    const storage = `${each.resource} ${each.storageVersionHash ?? name}`;
    if (!resources.has(name) && !stored.has(storage)) resources.set(name, each);
    stored.add(storage);
    const kind = `${each.group}${each.group && '/'}${each.version} ${each.kind}`;
    if (each.verbs.includes('get') && !byKind.has(kind)) byKind.set(kind, each);
  }
  return { resources: [...resources.values()], byKind };
}
