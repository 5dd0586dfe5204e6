import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { GroupDefinition, ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import { versionInfo } from './version.ts';

/** A document that is the same for everybody: its value, and its bytes as plain JSON. */
export interface DiscoveryDocument {
  readonly value: JsonObject;
  readonly json: Buffer;
}

/** What discovery is built from. */
export interface DiscoveryOptions {
  readonly registry: TypeRegistry;
  /** Whether groups are found under their alias spellings too. */
  readonly aliases: boolean;
  /** Host and port under which clients reach the server; "" when that is not known. */
  readonly serverAddress: string;
}

/** The paths of the server that are no API group. */
const serverPaths = ['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

/** Every discovery document by its path, without a slash at the end (spec 1, "Groups"). */
export function discoveryDocuments(options: DiscoveryOptions): ReadonlyMap<string, DiscoveryDocument> {
  const { registry } = options;
  const documents = new Map<string, JsonObject>();
  const named = registry.groups().filter(({ group }) => group !== '');
  const core = registry.groups().find(({ group }) => group === '');
  documents.set('/api', coreVersions(core?.versions ?? [], options.serverAddress));
  documents.set('/apis', {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: named.map(group => groupEntry(group, group.group)),
  });
  for (const version of core?.versions ?? [])
    documents.set(`/api/${version}`, resourceList(registry, '', { version, name: '' }));
  for (const group of named) {
    for (const name of options.aliases ? spellingsOf(group.group) : [group.group]) {
      documents.set(`/apis/${name}`, { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group, name) });
      for (const version of group.versions) {
        documents.set(`/apis/${name}/${version}`, resourceList(registry, group.group, { version, name }));
      }
    }
  }
  documents.set('/version', versionInfo);
  documents.set('', { paths: rootPaths(named, core?.versions ?? []) });
  return new Map(
    [...documents].map(([path, value]) => [path, { value, json: Buffer.from(JSON.stringify(value)) }]),
  );
}

function coreVersions(versions: readonly string[], serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: [...versions],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function groupEntry(group: GroupDefinition, name: string): JsonObject {
  const entry = (version: string) => ({ groupVersion: `${name}/${version}`, version });
  return { name, versions: group.versions.map(entry), preferredVersion: entry(group.preferredVersion) };
}

function resourceList(
  registry: TypeRegistry,
  group: string,
  { version, name }: { version: string; name: string },
): JsonObject {
  const definitions = registry.resources.filter(type => type.group === group && type.version === version);
  return {
    kind: 'APIResourceList',
    // The list of the core group has none.
    ...(name !== '' && { apiVersion: 'v1' }),
    groupVersion: name === '' ? version : `${name}/${version}`,
    resources: definitions.flatMap(definition => [
      resourceEntry(definition),
      ...subresourceEntries(definition),
    ]),
  };
}

function resourceEntry(definition: ResourceDefinition): JsonValue {
  const { resource, namespaced, kind, verbs, shortNames, categories, storageVersionHash } = definition;
  return {
    name: resource,
    singularName: '',
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(storageVersionHash === '' ? {} : { storageVersionHash }),
  };
}

function subresourceEntries(definition: ResourceDefinition): JsonValue[] {
  return [...definition.subresources.values()].map(({ name, kind, group, version, verbs }) => ({
    name: `${definition.resource}/${name}`,
    singularName: '',
    namespaced: definition.namespaced,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    kind,
    verbs: [...verbs],
  }));
}

function rootPaths(named: readonly GroupDefinition[], coreVersionNames: readonly string[]): string[] {
  const groups = named.flatMap(({ group, versions }) => [
    `/apis/${group}`,
    ...versions.map(version => `/apis/${group}/${version}`),
  ]);
  const core = coreVersionNames.map(version => `/api/${version}`);
  return ['/api', ...core, '/apis', ...groups, ...serverPaths].sort();
}

function spellingsOf(group: string): string[] {
  const suffix = '.cluster.io';
  return group.endsWith(suffix) ? [group, `${group.slice(0, -suffix.length)}.k8s.io`] : [group];
}
