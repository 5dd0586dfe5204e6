import { type ApiObject, copyJson, type JsonValue } from '@binnacle/api-objects';
import { conflict } from '@binnacle/status-errors';
import type { ApiRequest, GatewayServices } from '../pipeline/api-request.ts';
import { resourceNameOf } from '../write/names.ts';

/** A write of an object that may need what the server gives out. */
export interface AllocatingWrite<E> {
  /** As it is to be reviewed; changed. */
  readonly object: ApiObject;
  /** The object before an update; undefined for a creation. */
  readonly old: ApiObject | undefined;
  /**
   * Reviews the object and commits it. `complete` fills in what the review made necessary; undefined for kinds that are
   * given nothing.
   */
  reviewAndCommit(complete: ((reviewed: ApiObject) => Promise<void>) | undefined): Promise<E>;
}

/** How often other values are picked when those before were taken in the meantime. */
const attempts = 32;

/**
 * Gives an object what it leaves to the server, reviews and commits it, and gives it other values when the commit finds
 * that another write took them. Throws Invalid when a value that the client asked for is taken or out of range. The
 * object is as it was when nothing was committed.
 */
export async function withAllocations<
  E extends { readonly outcome: { readonly kind: string; readonly claim?: string } },
>(request: ApiRequest, services: GatewayServices, write: AllocatingWrite<E>): Promise<E> {
  const { definition, info, call } = request;
  const { object, old, reviewAndCommit } = write;
  const { serviceAllocator: allocator } = services;
  const isThroughSubresource = old !== undefined && info.subresource !== '';
  if (definition.storagePrefix !== allocator?.definition.storagePrefix || isThroughSubresource)
    return await reviewAndCommit(undefined);
  const allocation = allocator.begin(old, call);
  const spec = object['spec'] === undefined ? undefined : copyJson(object['spec']);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await allocation.fill(object);
    const ended = await reviewAndCommit(reviewed => allocation.fill(reviewed));
    const { kind, claim } = ended.outcome;
    if (kind === 'committed') return ended;
    restoreSpec(object, spec);
    if (kind !== 'claim-taken' || claim === undefined) return ended;
    allocation.lost(object, claim);
  }
  const why = 'could not allocate a cluster IP or node port: too many concurrent allocations, try again';
  throw conflict(resourceNameOf(definition), object.metadata.name ?? '', why);
}

function restoreSpec(object: ApiObject, spec: JsonValue | undefined): void {
  if (spec === undefined) delete object['spec'];
  else object['spec'] = copyJson(spec);
}
