import {
  type ApiObject,
  causeFromFieldError,
  copyJson,
  type FieldError,
  invalidField,
  type JsonValue,
} from '@binnacle/api-objects';
import {
  type AllocationNeed,
  type Cidr,
  type IpFamily,
  type ResourceDefinition,
  serviceAllocation,
} from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { internalError, invalid, type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from '../read/consistent-read.ts';
import { type AddressPool, createAddressPool } from './address-pool.ts';
import { HeldValues } from './held-values.ts';
import { pickFree } from './pick-free.ts';
import type { Pool } from './pool.ts';
import { createPortPool, type PortRange } from './port-pool.ts';

/** What services are given. */
export interface AllocatedRanges {
  /** Of cluster IPs: one, or two of different families, the default one first. */
  readonly addresses: readonly Cidr[];
  readonly nodePorts: PortRange;
}

/** What the allocator of services works with. */
interface ServiceAllocatorOptions {
  readonly definition: ResourceDefinition;
  readonly ranges: AllocatedRanges;
  readonly cache: TypeCache;
  readonly consistentReads: Pick<ConsistentReads, 'mostRecent'>;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Gives services their addresses and ports: suggestions, until the transaction of the write claims them. */
export interface ServiceAllocator {
  readonly definition: ResourceDefinition;
  /** `old` is the service before an update. */
  begin(old: ApiObject | undefined, call: CallContext): ServiceAllocationAttempt;
}

/** The allocations of one write, over all of its attempts. */
export interface ServiceAllocationAttempt {
  /**
   * Fills in what a service leaves to the server. Throws Invalid for what it asks for and cannot have, and InternalError when
   * nothing is left.
   */
  fill(object: ApiObject): Promise<void>;
  /** Takes note that another object holds a claim; throws Invalid when this one asked for the value. */
  lost(object: ApiObject, claim: string): void;
}

/** Creates the allocator of one gateway. */
export function createServiceAllocator(options: ServiceAllocatorOptions): ServiceAllocator {
  const { definition, ranges, cache } = options;
  const addresses = ranges.addresses.map(createAddressPool);
  const nodePorts = createPortPool(ranges.nodePorts);
  const held = new HeldValues(definition, [...addresses, nodePorts]);
  held.follow(cache);
  const pools = { addresses, nodePorts, held };
  return { definition, begin: (old, call) => new Attempt(options, pools, { old, call }) };
}

interface Pools {
  readonly addresses: readonly AddressPool[];
  readonly nodePorts: Pool;
  readonly held: HeldValues;
}

interface Asked {
  readonly field: string;
  readonly shown: JsonValue;
}

class Attempt implements ServiceAllocationAttempt {
  readonly #options: ServiceAllocatorOptions;
  readonly #pools: Pools;
  readonly #old: ApiObject | undefined;
  readonly #call: CallContext;
  /** Claims of values that were picked; another can take their place. */
  readonly #picked = new Set<string>();
  /** Claims of values that the client asked for. */
  readonly #asked = new Map<string, Asked>();
  /** Claims that others were found to hold. */
  readonly #lost = new Set<string>();

  constructor(
    options: ServiceAllocatorOptions,
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
    const own = new Set(this.#options.definition.rules.claimsOf?.(object) ?? []);
    for (const need of needs) {
      if (need.asked !== undefined) this.#ask(object, need, need.asked);
      else own.add(await this.#pick(need, own));
    }
  }

  lost(object: ApiObject, claim: string): void {
    this.#lost.add(claim);
    if (this.#picked.has(claim)) return;
    const asked = this.#asked.get(claim);
    if (asked === undefined) throw new Error(`nothing asked for ${claim}`);
    throw refused(object, [invalidField(asked.field, asked.shown, 'provided value is already allocated')]);
  }

  #ask(object: ApiObject, need: AllocationNeed, value: string): void {
    const claim = need.claimOf(value);
    // After a review the values that were picked before it stand in the object.
    if (this.#picked.has(claim)) return;
    const pool = this.#poolOf(need);
    const field = need.path.toString();
    if (pool.offsetOf(value) === undefined)
      throw refused(object, [invalidField(field, need.shown, `must be one of the ${pool.name}`)]);
    this.#asked.set(claim, { field, shown: copyJson(need.shown) });
  }

  /** Puts a free value into the object; answers its claim. */
  async #pick(need: AllocationNeed, own: ReadonlySet<string>): Promise<string> {
    const pool = this.#poolOf(need);
    const offset = this.#findFree(pool, need, own) ?? (await this.#findFreed(pool, need, own));
    const value = pool.valueAt(offset);
    const claim = need.claimOf(value);
    this.#picked.add(claim);
    need.assign(value);
    return claim;
  }

  #findFree(pool: Pool, need: AllocationNeed, own: ReadonlySet<string>): number | undefined {
    const isTaken = (offset: number): boolean => {
      if (this.#pools.held.isHeld(pool, offset)) return true;
      const claim = need.claimOf(pool.valueAt(offset));
      return own.has(claim) || this.#lost.has(claim);
    };
    return pickFree(pool, isTaken, this.#options.random);
  }

  /** Nothing seems to be free: what was given back lately shows once the cache is current. */
  async #findFreed(pool: Pool, need: AllocationNeed, own: ReadonlySet<string>): Promise<number> {
    const { cache, consistentReads } = this.#options;
    const source = await consistentReads.mostRecent(cache, this.#call);
    this.#lost.clear();
    const offset = this.#findFree(pool, need, own);
    if (offset !== undefined) return offset;
    if (source === 'storage')
      throw serviceUnavailable(`the server does not know at the moment which of the ${pool.name} are free`);
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
