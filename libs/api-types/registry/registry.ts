import { createHash } from 'node:crypto';
import { type ApiGateName, type ApiGateStates, apiGates, defaultApiGates } from '@binnacle/api-objects';
import type { MessageType } from '../definitions/message-type.ts';
import type { GroupVersionDeclaration, ResourceDeclaration } from '../definitions/resource-declaration.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import type { GroupDefinition, TypeRegistry } from '../definitions/type-registry.ts';
import { allMessages, messageAmong, messagesWith } from '../descriptors/messages.ts';
import { readDescriptors } from '../descriptors/read-descriptors.ts';
import { canonicalGroup } from '../group-names/canonical-group.ts';
import { compareGroups, compareVersions } from '../group-names/group-order.ts';
import { type RuleConditions, withGates } from '../processing/with-gates.ts';
import { groupVersions } from './groups.ts';
import { parseRuntimeConfig } from './runtime-config.ts';

/** Options of a registry. */
interface TypeRegistryOptions {
  /** The value of `--runtime-config`; default: all versions except alpha. */
  readonly runtimeConfig?: string;
  /** Enables every version, for code that does not decide what is served. */
  readonly everyVersion?: true;
  /** Additional types. */
  readonly added?: AddedTypes;
  /** The feature gates; default: those of release 1.26. */
  readonly gates?: ApiGateStates;
  /** Whether containers may be privileged; default: true. */
  readonly allowPrivileged?: boolean;
}

/** Types in addition to the built-in ones. */
export interface AddedTypes {
  /** The directory to which `make generate` wrote their messages; they may refer to those of `proto/api`. */
  readonly generatedDirectory: string;
  readonly groupVersions: readonly GroupVersionDeclaration[];
}

/** By `everyVersion` or runtime configuration, and the conditions of rules. */
const registries = new Map<string, TypeRegistry>();
/** By the conditions of rules. */
const builtIn = new Map<string, Types>();

/**
 * Creates the registry of the built-in and added types. Without added types, equal options return the same registry; the first
 * call reads the definitions (under 300 ms). Throws for unknown names in the runtime configuration.
 */
export function createTypeRegistry(options: TypeRegistryOptions = {}): TypeRegistry {
  const { added, everyVersion = false, runtimeConfig = '' } = options;
  const { gates = defaultApiGates, allowPrivileged = true } = options;
  const conditions = { gates, allowPrivileged };
  if (added !== undefined) {
    const declared = [...groupVersions, ...added.groupVersions];
    const messages = messagesWith(readDescriptors(added.generatedDirectory));
    return createRegistry(typesFrom(declared, messages, conditions), options);
  }
  const enabled = (Object.keys(apiGates) as ApiGateName[]).filter(gate => gates.isEnabled(gate)).join(); // Its own keys.
  const condition = `${enabled} ${allowPrivileged}`;
  const key = `${everyVersion} ${condition} ${runtimeConfig}`;
  const existing = registries.get(key);
  if (existing) return existing;
  let types = builtIn.get(condition);
  if (types === undefined) {
    types = typesFrom(groupVersions, allMessages(), conditions);
    builtIn.set(condition, types);
  }
  const registry = createRegistry(types, options);
  registries.set(key, registry);
  return registry;
}

/** Messages and all their resources, whether served or not. */
interface Types {
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly definitions: readonly ResourceDefinition[];
}

function typesFrom(
  declared: readonly GroupVersionDeclaration[],
  messages: Types['messages'],
  conditions: RuleConditions,
): Types {
  const defined = declared.flatMap(groupVersion =>
    groupVersion.resources.map(resource =>
      withGates(defineResource(groupVersion, resource, messages), conditions),
    ),
  );
  return { messages, definitions: withStorage(defined).sort(compareResources) };
}

function defineResource(
  { group, version, protoPackage }: GroupVersionDeclaration,
  declaration: ResourceDeclaration,
  messages: Types['messages'],
): ResourceDefinition {
  const { kind, resource, storageGroup = group, storageVersion = version } = declaration;
  const { hashedVersion = storageVersion } = declaration;
  return {
    ...declaration,
    group,
    version,
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    subresources: new Map(declaration.subresources.map(subresource => [subresource.name, subresource])),
    message: messageAmong(messages, `${protoPackage}.${kind}`),
    storagePrefix: `/${storageGroup === '' ? 'core' : storageGroup}/${resource}/`,
    storageVersionHash: declaration.stored ? storageVersionHash(storageGroup, hashedVersion, kind) : '',
  };
}

/** Links each definition that is not stored itself to the definition of its stored form. */
function withStorage(all: readonly ResourceDefinition[]): ResourceDefinition[] {
  return all.map(definition => {
    const { group, version, resource, storageGroup = group, storageVersion = version } = definition;
    if (storageGroup === group && storageVersion === version) return Object.freeze(definition);
    const storage = all.find(
      other =>
        other.group === storageGroup && other.version === storageVersion && other.resource === resource,
    );
    if (storage === undefined)
      throw new Error(`${resource}.${version}.${group} is stored as a resource that is not defined`);
    return Object.freeze({ ...definition, storage: Object.freeze(storage) });
  });
}

function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

/** Compares resources for listings: by group and version in their order, then by name. */
export function compareResources(a: ResourceDefinition, b: ResourceDefinition): number {
  return (
    compareGroups(a.group, b.group) ||
    compareVersions(a.version, b.version) ||
    (a.resource < b.resource ? -1 : 1)
  );
}

function createRegistry(
  { messages, definitions }: Types,
  { everyVersion, runtimeConfig = '' }: TypeRegistryOptions,
): TypeRegistry {
  const resources = everyVersion
    ? definitions
    : definitions.filter(parseRuntimeConfig(runtimeConfig, definitions));
  return registryFrom(resources, name => messages.get(name));
}

/** Creates a registry of sorted resources and of messages. */
export function registryFrom(
  resources: readonly ResourceDefinition[],
  message: TypeRegistry['message'],
): TypeRegistry {
  const groups = collectGroups(resources);
  return Object.freeze({
    resources: Object.freeze([...resources]),
    resource: createFinder(resources, ({ resource }) => resource),
    kind: createFinder(resources, ({ kind }) => kind),
    groups: () => groups,
    message,
    canonicalGroup,
  });
}

/**
 * Creates a lookup of resources by group, version and name without a combined key, since requests look up resources several
 * times.
 */
function createFinder(
  resources: readonly ResourceDefinition[],
  readName: (definition: ResourceDefinition) => string,
): TypeRegistry['resource'] {
  const groups = new Map<string, Map<string, Map<string, ResourceDefinition>>>();
  for (const definition of resources) {
    const { group, version } = definition;
    const versions = groups.get(group) ?? new Map<string, Map<string, ResourceDefinition>>();
    const names = versions.get(version) ?? new Map<string, ResourceDefinition>();
    groups.set(group, versions.set(version, names.set(readName(definition), definition)));
  }
  return (group, version, name) => groups.get(group)?.get(version)?.get(name);
}

function collectGroups(resources: readonly ResourceDefinition[]): readonly GroupDefinition[] {
  const versions = new Map<string, Set<string>>();
  for (const { group, version } of resources) {
    const known = versions.get(group);
    if (known) known.add(version);
    else versions.set(group, new Set([version]));
  }
  return [...versions].map(([group, set]) => {
    const sorted = [...set].sort(compareVersions);
    return { group, versions: sorted, preferredVersion: sorted[0]! }; // A group has at least one resource.
  });
}
