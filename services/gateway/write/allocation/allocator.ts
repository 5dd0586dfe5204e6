import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from '../../read/consistent-read.ts';
import type { GatewaySettings } from '../../settings/gateway-settings.ts';

/**
 * Chooses the values that objects of one kind leave to the server: suggestions, until the transaction of the write
 * reserves them.
 */
export interface Allocator {
  /** `old` is the object before an update. */
  begin(old: ApiObject | undefined, call: CallContext): AllocationAttempt;
}

/** The allocations of one write, over all of its attempts. */
export interface AllocationAttempt {
  /**
   * Fills in the values that an object leaves to the server. Throws Invalid for a requested value that is not
   * available, and InternalError when none is left.
   */
  fill(object: ApiObject): Promise<void>;
  /** Notes that another object holds a reservation; throws Invalid when this one asked for the value. */
  lost(object: ApiObject, reservation: string): void;
}

/** The allocators of a gateway by the storage prefix of their kind. */
export type Allocators = ReadonlyMap<string, Allocator>;

/** Options of the allocator of a kind. */
export interface AllocatorOptions {
  readonly definition: ResourceDefinition;
  readonly settings: Pick<GatewaySettings, 'serviceClusterIpRange' | 'serviceNodePortRange'>;
  readonly cache: TypeCache;
  readonly consistentReads: Pick<ConsistentReads, 'mostRecent'>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}
