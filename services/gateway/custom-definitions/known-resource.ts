import type { TypeRegistry } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import type { ResourceTarget } from '../request-info/request-target.ts';
import { type ResolvedResource, resolveResource } from '../request-info/resolve-resource.ts';
import type { CustomDefinitions } from './custom-definitions.ts';

/** What knows types, and how to hear of those that are new. */
export interface KnownTypes {
  readonly registry: TypeRegistry;
  readonly customDefinitions: CustomDefinitions;
}

/** A request as far as it says what it is about. */
export interface TargetedRequest {
  readonly target: ResourceTarget;
  readonly method: string;
  readonly call: CallContext;
}

/**
 * Finds the resource that a request is for, as `resolveResource` does. One that is not known may have been defined a
 * moment ago, through another server.
 */
export async function knownResource(
  { target, method, call }: TargetedRequest,
  { registry, customDefinitions }: KnownTypes,
): Promise<ResolvedResource> {
  const { canonicalGroup, version, resource } = target;
  const canBeCustom = canonicalGroup.includes('.');
  if (canBeCustom && registry.resource(canonicalGroup, version, resource) === undefined)
    await customDefinitions.catchUp(call);
  return resolveResource(registry, target, method);
}
