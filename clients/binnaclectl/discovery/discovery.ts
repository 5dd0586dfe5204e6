import type { NameRow } from '@binnacle/api-names/table';
import type { DirectClient } from '@binnacle/client';
import type { ResourceType } from './resource-type.ts';

/** The types that a server serves. */
export interface ServedTypes {
  /** By group in the server's order, the preferred version of a group first. Subresources are left out. */
  readonly types: readonly ResourceType[];
  /** The first failure among the lists of groups, of which the types are missing then. */
  readonly failure: unknown;
}

/** The types that a server serves, requested once and kept in memory. */
export interface Discovery {
  /** Rejects when the server does not answer. */
  served(): Promise<ServedTypes>;
  /** The name that the server has for a group, of those in the two vocabularies. Rejects when the server does not answer. */
  nameOf(group: NameRow): Promise<string>;
  /** Drops the cached types, since definitions may have been added. */
  forget(): void;
}

interface GroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version: string };
  }[];
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
    readonly kind: string;
    readonly namespaced?: boolean;
    readonly verbs?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Creates the discovery of a server; the first use sends requests. */
export function createDiscovery(client: Pick<DirectClient, 'json'>): Discovery {
  let listed: Promise<GroupList> | undefined;
  let asked: Promise<ServedTypes> | undefined;
  const groups = () => {
    listed ??= client.json<GroupList>({ method: 'GET', path: '/apis' });
    return listed;
  };
  return {
    served: () => {
      asked ??= ask(client, groups);
      return asked;
    },
    async nameOf(group) {
      const served = new Set((await groups()).groups?.map(({ name }) => name));
      // A type that is not served is requested by the name of this project, and answered with an error that says so.
      return group.find(name => served.has(name)) ?? group[0];
    },
    forget: () => {
      listed = undefined;
      asked = undefined;
    },
  };
}

async function ask(
  client: Pick<DirectClient, 'json'>,
  listGroups: () => Promise<GroupList>,
): Promise<ServedTypes> {
  const read = <T>(path: string) => client.json<T>({ method: 'GET', path });
  const [core, { groups = [] }] = await Promise.all([
    read<{ readonly versions?: readonly string[] }>('/api'),
    listGroups(),
  ]);
  const groupVersions: GroupVersion[] = [
    ...(core.versions ?? []).map(version => ({ group: '', version })),
    ...groups.flatMap(({ name, versions, preferredVersion }) =>
      versions
        .map(({ version }) => ({ group: name, version }))
        .toSorted((a, b) => rank(a.version, preferredVersion) - rank(b.version, preferredVersion)),
    ),
  ];
  const lists = await Promise.allSettled(
    groupVersions.map(async groupVersion => {
      const { group, version } = groupVersion;
      const list = await read<ResourceList>(group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
      return typesIn(list, groupVersion);
    }),
  );
  const failed = lists.find(list => list.status === 'rejected');
  return {
    types: lists.flatMap(list => (list.status === 'fulfilled' ? list.value : [])),
    failure: failed?.reason,
  };
}

function rank(version: string, preferred: { readonly version: string } | undefined): number {
  return version === preferred?.version ? 0 : 1;
}

function typesIn({ resources = [] }: ResourceList, { group, version }: GroupVersion): ResourceType[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, singularName, shortNames, kind, namespaced, verbs, categories }) => ({
      group,
      version,
      resource: name,
      singular: singularName || kind.toLowerCase(),
      shortNames: shortNames ?? [],
      kind,
      namespaced: namespaced ?? false,
      verbs: verbs ?? [],
      categories: categories ?? [],
    }));
}
