import type { LiveTypeRegistry, ResourceDefinition } from '@binnacle/api-types';

/** Returns the other versions and groups under which the objects of a resource are served. */
export type EquivalentResources = (definition: ResourceDefinition) => readonly ResourceDefinition[];

/**
 * Creates a finder of equivalents among the types of a registry, in its order: types whose objects are stored as the same type.
 * Among built-in types only those count for which `isServed` holds; a custom type has no equivalents besides its own versions.
 */
export function createEquivalentResources(
  registry: Pick<LiveTypeRegistry, 'builtIn' | 'addedTo'>,
  isServed: (definition: ResourceDefinition) => boolean,
): EquivalentResources {
  // All types of a definition are replaced together, so a result is valid for as long as its type exists.
  const found = new WeakMap<ResourceDefinition, readonly ResourceDefinition[]>();
  return definition => {
    let equivalents = found.get(definition);
    if (equivalents === undefined) {
      const candidates =
        definition.message.structure === undefined
          ? registry.builtIn.resources.filter(isServed)
          : registry.addedTo(definition.group).resources;
      const stored = definition.storage ?? definition;
      equivalents = candidates.filter(other => other !== definition && (other.storage ?? other) === stored);
      found.set(definition, equivalents);
    }
    return equivalents;
  };
}
