import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { Storage } from '@binnacle/storage-contract';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { ApiRequest } from '../../request/api-request.ts';

/** A write as admission lets it pass. */
export interface GuardedWrite {
  /** The object to store. */
  readonly object: ApiObject;
  /** The stored object; undefined for a creation. */
  readonly old: ApiObject | undefined;
}

/** What guards ask. */
export interface GuardServices {
  readonly authorizer: Authorizer;
  readonly registry: TypeRegistry;
  readonly storage: Storage;
}

/**
 * Refuses, by throwing, a write that the user may make as such but not with this content. Runs after admission and before
 * the commit of every creation and update, once for each attempt, in dry runs too.
 */
export type WriteGuard = (
  request: ApiRequest,
  services: GuardServices,
  write: GuardedWrite,
) => void | Promise<void>;

/** The guard of a kind; undefined for kinds that have none. */
export type FindGuard = (definition: ResourceDefinition) => WriteGuard | undefined;
