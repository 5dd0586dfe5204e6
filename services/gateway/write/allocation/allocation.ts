import { type ApiObject, copyJson, type JsonValue } from '@binnacle/api-objects';
import type { CallContext } from '@binnacle/proto';
import type { ApiRequest } from '../../request/api-request.ts';
import type { AllocationAttempt, Allocator, Allocators } from './allocator.ts';

/** A write of an object that may need values from the server. */
interface AllocatingWrite {
  /** The object to be reviewed; undefined for a deletion. */
  readonly object: ApiObject | undefined;
  /** The object before; undefined for a creation. */
  readonly old?: { readonly object: ApiObject } | undefined;
}

/** The allocation for the object of a write; undefined for objects that get no values. */
export function allocationFor(
  { definition, info, call }: Pick<ApiRequest, 'definition' | 'info' | 'call'>,
  allocators: Allocators,
  { object, old }: AllocatingWrite,
): Allocation | undefined {
  const isThroughSubresource = old !== undefined && info.subresource !== '';
  if (object === undefined || isThroughSubresource) return undefined;
  const allocator = allocators.get(definition.storagePrefix);
  if (allocator === undefined) return undefined;
  return new Allocation(allocator, { object, old: old?.object, call });
}

/**
 * The values that the server gives one object, from a review to the commit that reserves them; chosen again when
 * another object reserved them first.
 */
export class Allocation {
  readonly #object: ApiObject;
  /** The specification before anything was allocated. */
  readonly #spec: JsonValue | undefined;
  readonly #attempt: AllocationAttempt;

  constructor(
    allocator: Allocator,
    {
      object,
      old,
      call,
    }: { readonly object: ApiObject; readonly old: ApiObject | undefined; readonly call: CallContext },
  ) {
    const { spec } = object;
    this.#object = object;
    this.#spec = spec === undefined ? undefined : copyJson(spec);
    this.#attempt = allocator.begin(old, call);
  }

  /**
   * Fills in the values that the object leaves to the server, before it is reviewed. Throws Invalid when a value that
   * the client asked for is out of range, InternalError when nothing is left.
   */
  fill(): Promise<void> {
    return this.#attempt.fill(this.#object);
  }

  /** Fills in the values that the review made necessary; throws as `fill`. */
  fillReviewed(reviewed: ApiObject): Promise<void> {
    return this.#attempt.fill(reviewed);
  }

  /** Removes the allocated values from the object. */
  undo(): void {
    if (this.#spec === undefined) delete this.#object['spec'];
    else this.#object['spec'] = copyJson(this.#spec);
  }

  /** Notes that another object holds a reservation; throws Invalid, at its field, when the client asked for the value. */
  lost(reservation: string): void {
    this.#attempt.lost(this.#object, reservation);
  }
}
