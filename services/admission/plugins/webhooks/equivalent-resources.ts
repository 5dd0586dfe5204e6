import type { LiveTypeRegistry, ResourceDefinition } from '@binnacle/api-types';

/** Gives the other versions and groups under which the objects of a resource are served. */
export type EquivalentResources = (definition: ResourceDefinition) => readonly ResourceDefinition[];

/**
 * Finds equivalents among the types of a registry, in its order: those whose objects are stored in the same form. Of the
 * built-in ones only those that `isServed` says are served count; definitions of custom types have no others.
 */
export function createEquivalentResources(
  registry: Pick<LiveTypeRegistry, 'builtIn' | 'addedTo'>,
  isServed: (definition: ResourceDefinition) => boolean,
): EquivalentResources {
  // The types of a definition are made anew together, so what was found for one holds as long as the type itself.
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
