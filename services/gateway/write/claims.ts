import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';

const none: readonly string[] = [];

/** The storage keys of the unique things that an object holds. */
export function claimsOf(definition: ResourceDefinition, object: ApiObject): readonly string[] {
  return definition.rules.claimsOf?.(object) ?? none;
}
