import { type ApiObject, equalJson, type JsonObject } from '@binnacle/api-objects';
import type { GuardedWrite } from '../write/engine/review.ts';

/**
 * Whether a write changes more of a role or binding than its owners and finalizers: the writes that complete a removal
 * grant nothing.
 */
export function concernsGrants({ object, old }: GuardedWrite): boolean {
  return old === undefined || !equalJson(withoutOwners(object), withoutOwners(old));
}

function withoutOwners(object: ApiObject): JsonObject {
  const {
    ownerReferences: _ownerReferences,
    finalizers: _finalizers,
    managedFields: _managedFields,
    resourceVersion: _resourceVersion,
    ...metadata
  } = object.metadata as JsonObject;
  return { ...object, metadata };
}
