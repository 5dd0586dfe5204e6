import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type {
  GroupDefinition,
  ResourceDefinition,
  SubresourceDefinition,
  TypeRegistry,
} from '@binnacle/api-types';

/** A group under the name by which it is listed: its own, or an alias. */
export interface NamedGroup {
  readonly definition: GroupDefinition;
  readonly name: string;
}

/**
 * The discovery of some groups in one document, of the type APIGroupDiscoveryList v2beta1. `apiVersion` has the group
 * name that the client used.
 */
export function aggregatedDiscovery(
  registry: TypeRegistry,
  groups: readonly NamedGroup[],
  apiVersion: string,
): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion,
    metadata: {},
    items: groups.map(group => groupDiscovery(registry, group)),
  };
}

function groupDiscovery(registry: TypeRegistry, { definition, name }: NamedGroup): JsonObject {
  const { group, versions } = definition;
  return {
    // The core group has no name.
    metadata: { ...(name !== '' && { name }), creationTimestamp: null },
    versions: versions.map(version => ({
      version,
      resources: registry.resources
        .filter(resource => resource.group === group && resource.version === version)
        .map(resource => resourceDiscovery(resource, name)),
      freshness: 'Current',
    })),
  };
}

function resourceDiscovery(definition: ResourceDefinition, group: string): JsonObject {
  const { resource, version, kind, namespaced, singular } = definition;
  const { shortNames, categories } = findShortcuts(definition, group);
  return {
    resource,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...definition.verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(definition.subresources.size > 0 && {
      subresources: [...definition.subresources.values()].map(subresource =>
        subresourceDiscovery(subresource, { group, version }),
      ),
    }),
  };
}

/**
 * The short names and categories under one name of a resource's group. The alias has none: a short name that two groups
 * have is ambiguous, and a category would show each object twice.
 */
export function findShortcuts(
  { group, shortNames, categories }: ResourceDefinition,
  groupName: string,
): Pick<ResourceDefinition, 'shortNames' | 'categories'> {
  return groupName === group ? { shortNames, categories } : { shortNames: [], categories: [] };
}

function subresourceDiscovery(
  subresource: SubresourceDefinition,
  parent: { readonly group: string; readonly version: string },
): JsonValue {
  const { name, kind, group = parent.group, version = parent.version, verbs } = subresource;
  return { subresource: name, responseKind: { group, version, kind }, verbs: [...verbs] };
}
