import {
  type ApiObject,
  causeFromFieldError,
  copyJson,
  type FieldError,
  invalidField,
  type JsonValue,
} from '@binnacle/api-objects';
import { type AllocationNeed, type IpFamily, serviceAllocation } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { internalError, invalid, type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import { type AddressPool, createAddressPool, parseAddressRanges } from './address-pool.ts';
import type { AllocationAttempt, Allocator, AllocatorOptions } from './allocator.ts';
import { HeldValues } from './held-values.ts';
import { type Pool, pickFree } from './pool.ts';
import { createPortPool, parsePortRange } from './port-pool.ts';

/** Creates the allocator of services' addresses and ports. Throws for text that is not a range. */
export function createServiceAllocator(options: AllocatorOptions): Allocator {
  const { definition, settings, cache } = options;
  const addresses = parseAddressRanges(settings.serviceClusterIpRange).map(createAddressPool);
  const nodePorts = createPortPool(parsePortRange(settings.serviceNodePortRange));
  const held = new HeldValues(definition, [...addresses, nodePorts]);
  held.follow(cache);
  const pools = { addresses, nodePorts, held };
  return { begin: (old, call) => new Attempt(options, pools, { old, call }) };
}

interface Pools {
  readonly addresses: readonly AddressPool[];
  readonly nodePorts: Pool;
  readonly held: HeldValues;
}

interface RequestedValue {
  readonly field: string;
  readonly shown: JsonValue;
}

class Attempt implements AllocationAttempt {
  readonly #options: AllocatorOptions;
  readonly #pools: Pools;
  readonly #old: ApiObject | undefined;
  readonly #call: CallContext;
  /** Reservations of values that were picked; another can take their place. */
  readonly #picked = new Set<string>();
  /** Reservations of values that the client asked for. */
  readonly #requested = new Map<string, RequestedValue>();
  /** Reservations that other objects hold. */
  readonly #lost = new Set<string>();

  constructor(
    options: AllocatorOptions,
    pools: Pools,
    { old, call }: { readonly old: ApiObject | undefined; readonly call: CallContext },
  ) {
    this.#options = options;
    this.#pools = pools;
    this.#old = old;
    this.#call = call;
  }

  async fill(object: ApiObject): Promise<void> {
    const families = this.#pools.addresses.map(({ family }): IpFamily => family);
    const { findings, needs } = serviceAllocation(object, this.#old, families);
    if (findings.length > 0) throw refused(object, findings);
    const own = new Set(this.#options.definition.rules.reservationsFor?.(object) ?? []);
    for (const need of needs) {
      if (need.asked !== undefined) this.#ask(object, need, need.asked);
      else own.add(await this.#pick(need, own));
    }
  }

  lost(object: ApiObject, reservation: string): void {
    this.#lost.add(reservation);
    if (this.#picked.has(reservation)) return;
    const asked = this.#requested.get(reservation);
    if (asked === undefined) throw new Error(`no request for ${reservation}`);
    throw refused(object, [invalidField(asked.field, asked.shown, 'provided value is already allocated')]);
  }

  #ask(object: ApiObject, need: AllocationNeed, value: string): void {
    const reservation = need.reservationKey(value);
    // After a review the values that were picked before it stand in the object.
    if (this.#picked.has(reservation)) return;
    const pool = this.#poolOf(need);
    const field = need.path.toString();
    if (pool.offsetOf(value) === undefined)
      throw refused(object, [invalidField(field, need.shown, `must be one of the ${pool.name}`)]);
    this.#requested.set(reservation, { field, shown: copyJson(need.shown) });
  }

  /** Puts a free value into the object; returns its reservation. */
  async #pick(need: AllocationNeed, own: ReadonlySet<string>): Promise<string> {
    const pool = this.#poolOf(need);
    const offset = this.#findFree(pool, need, own) ?? (await this.#findFreed(pool, need, own));
    const value = pool.valueAt(offset);
    const reservation = need.reservationKey(value);
    this.#picked.add(reservation);
    need.assign(value);
    return reservation;
  }

  #findFree(pool: Pool, need: AllocationNeed, own: ReadonlySet<string>): number | undefined {
    const isTaken = (offset: number): boolean => {
      if (this.#pools.held.isHeld(pool, offset)) return true;
      const reservation = need.reservationKey(pool.valueAt(offset));
      return own.has(reservation) || this.#lost.has(reservation);
    };
    return pickFree(pool, isTaken, this.#options.random);
  }

  /** Finds a free value once the cache is current, when none seemed free: values released lately show then. */
  async #findFreed(pool: Pool, need: AllocationNeed, own: ReadonlySet<string>): Promise<number> {
    const { cache, consistentReads } = this.#options;
    const source = await consistentReads.mostRecent(cache, this.#call);
    this.#lost.clear();
    const offset = this.#findFree(pool, need, own);
    if (offset !== undefined) return offset;
    if (source === 'storage')
      throw serviceUnavailable(`the free ${pool.name} could not be determined, try again`);
    throw internalError(`all of the ${pool.name} are allocated`);
  }

  #poolOf({ from }: AllocationNeed): Pool {
    if (from === 'node-ports') return this.#pools.nodePorts;
    const pool = this.#pools.addresses.find(({ family }) => family === from);
    if (pool === undefined) throw new Error(`there is no pool of ${from}`);
    return pool;
  }
}

function refused({ metadata }: ApiObject, findings: readonly FieldError[]): StatusError {
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', findings.map(causeFromFieldError));
}
