import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ApiRequest, ResourceVerb } from '../request/api-request.ts';
import { scaleVerbs } from '../subresources/scale.ts';
import type { Allocator, AllocatorOptions, Allocators } from '../write/allocation/allocator.ts';
import { type KindBehavior, type KindServices, kinds } from './kinds.ts';

const ordinary: KindBehavior = {};

/** The gateway's behavior for the kind of a resource; empty for most kinds. */
export function findKindBehavior({ group, resource }: ResourceDefinition): KindBehavior {
  const key = `${group}/${resource}`;
  return (Object.hasOwn(kinds, key) ? kinds[key] : undefined) ?? ordinary;
}

/** The verb that serves a request in place of the one of every resource; undefined where there is none. */
export function kindVerb({
  definition,
  info: { subresource, verb },
}: ApiRequest): ResourceVerb<KindServices> | undefined {
  const { verbs, subresources = {} } = findKindBehavior(definition);
  if (subresource === '') return verbs?.[verb];
  const own = Object.hasOwn(subresources, subresource) ? subresources[subresource] : undefined;
  if (own !== undefined) return own[verb];
  const found = definition.subresources.get(subresource);
  return found && scaleVerbs(found)?.[verb];
}

/** Creates the allocators of the kinds that have one and are served. Throws for settings that they cannot be made of. */
export function createAllocators(
  parts: Omit<AllocatorOptions, 'definition' | 'cache'> & {
    readonly registry: TypeRegistry;
    readonly watchCache: WatchCache;
  },
): Allocators {
  const { registry, watchCache, ...options } = parts;
  const allocators = new Map<string, Allocator>();
  for (const definition of registry.resources) {
    const create = findKindBehavior(definition).allocator;
    if (create === undefined || allocators.has(definition.storagePrefix)) continue;
    const cache = watchCache.type(definition);
    allocators.set(definition.storagePrefix, create({ ...options, definition, cache }));
  }
  return allocators;
}
