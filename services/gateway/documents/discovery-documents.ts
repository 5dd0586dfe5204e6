import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { GroupDefinition, ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import { versionInfo } from '@binnacle/build-info';
import { findAlias } from '../request/found-alias.ts';
import { aggregatedDiscovery, findShortcuts, type NamedGroup } from './aggregated.ts';

/** A document that is the same for all users: its value, and its bytes as plain JSON. */
export interface DiscoveryDocument {
  readonly value: JsonObject;
  readonly json: Buffer;
  /** All of discovery below this path, for an `apiVersion` of its type; absent where there is no such document. */
  readonly aggregated?: (apiVersion: string) => JsonObject;
}

/** Options of discovery. */
interface DiscoveryOptions {
  readonly registry: TypeRegistry;
  /** Whether groups are found under their aliases too, and whether these are listed. */
  readonly aliases: 'listed' | 'found' | 'unknown';
  /** Host and port under which clients reach the server; "" when that is not known. */
  readonly serverAddress: string;
  /** Whether `/api` and `/apis` have all of discovery in one document. */
  readonly aggregated: boolean;
  /** Whether there are OpenAPI v3 documents. */
  readonly openApiV3: boolean;
  /** Whether resources have a hash of the version that they are stored in; default true. */
  readonly storageVersionHash?: boolean;
  /** Paths of documents that others serve; none when not given. */
  readonly morePaths?: () => Iterable<string>;
}

/** Returns the current discovery documents by path. */
export type DiscoveryDocuments = () => ReadonlyMap<string, DiscoveryDocument>;

/** The documents of a registry whose types may change: they are written again when they are next requested. */
export function createDiscoveryDocuments(options: DiscoveryOptions): DiscoveryDocuments {
  let written:
    | { readonly of: TypeRegistry['resources']; readonly documents: ReturnType<DiscoveryDocuments> }
    | undefined;
  return () => {
    const { resources } = options.registry;
    if (written?.of !== resources) written = { of: resources, documents: discoveryDocuments(options) };
    return written.documents;
  };
}

/** The paths of the server that are no API group. */
const serverPaths = ['/healthz', '/livez', '/logs', '/metrics', '/openapi/v2', '/readyz', '/version'];

/** Every discovery document by its path, without a slash at the end (spec 1, "Groups"). */
export function discoveryDocuments(options: DiscoveryOptions): ReadonlyMap<string, DiscoveryDocument> {
  const { registry, aggregated } = options;
  const documents = new Map<string, DiscoveryDocument>();
  const add = (path: string, value: JsonObject, groups?: readonly NamedGroup[]) => {
    const json = Buffer.from(JSON.stringify(value));
    const whole = groups && {
      aggregated: (apiVersion: string) => aggregatedDiscovery(registry, groups, apiVersion),
    };
    documents.set(path, { value, json, ...(aggregated && whole) });
  };
  const { core, named, listed } = findGroups(options);
  const coreVersionNames = core?.versions ?? [];
  const coreGroups = core === undefined ? [] : [{ definition: core, name: '' }];
  add('/api', coreVersions(coreVersionNames, options.serverAddress), coreGroups);
  const groups = listed.map(({ definition, name }) => groupEntry(definition, name));
  add('/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups }, listed);
  for (const version of coreVersionNames)
    add(`/api/${version}`, resourceList(options, '', { version, name: '' }));
  for (const { definition, name } of named) {
    add(`/apis/${name}`, { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(definition, name) });
    for (const version of definition.versions)
      add(`/apis/${name}/${version}`, resourceList(options, definition.group, { version, name }));
  }
  add('/version', { ...versionInfo() });
  add('', { paths: rootPaths(listed, coreVersionNames, options) });
  return documents;
}

interface Groups {
  readonly core: GroupDefinition | undefined;
  /**
   * The groups that are served, and those of them that are listed: aliases after all others, so that clients choose
   * them last.
   */
  readonly named: readonly NamedGroup[];
  readonly listed: readonly NamedGroup[];
}

function findGroups({ registry, aliases }: DiscoveryOptions): Groups {
  const all = registry.groups();
  const own = all.flatMap(definition =>
    definition.group === '' ? [] : [{ definition, name: definition.group }],
  );
  const others = own.flatMap(({ definition, name }) => {
    const alias = findAlias(name, registry);
    return alias === undefined ? [] : [{ definition, name: alias }];
  });
  return {
    core: all.find(({ group }) => group === ''),
    named: aliases === 'unknown' ? own : [...own, ...others],
    listed: aliases === 'listed' ? [...own, ...others] : own,
  };
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
  { registry, storageVersionHash = true }: DiscoveryOptions,
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
      resourceEntry(definition, name, storageVersionHash),
      ...subresourceEntries(definition),
    ]),
  };
}

function resourceEntry(definition: ResourceDefinition, groupName: string, hasHash: boolean): JsonValue {
  const { message, resource, namespaced, kind, verbs } = definition;
  const storageVersionHash = hasHash ? definition.storageVersionHash : '';
  const { shortNames, categories } = findShortcuts(definition, groupName);
  return {
    name: resource,
    // Built-in kinds have always left it out.
    singularName: message.structure === undefined ? '' : definition.singular,
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

function rootPaths(
  listed: readonly NamedGroup[],
  coreVersionNames: readonly string[],
  { openApiV3, morePaths = () => [] }: DiscoveryOptions,
): string[] {
  const groups = listed.flatMap(({ definition, name }) => [
    `/apis/${name}`,
    ...definition.versions.map(version => `/apis/${name}/${version}`),
  ]);
  const core = coreVersionNames.map(version => `/api/${version}`);
  const openApi = openApiV3 ? ['/openapi/v3', '/openapi/v3/'] : [];
  return ['/api', ...core, '/apis', '/apis/', ...groups, ...serverPaths, ...openApi, ...morePaths()].sort();
}
