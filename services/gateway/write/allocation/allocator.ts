import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import type { TypeCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from '../../read/consistent-read.ts';
import type { GatewaySettings } from '../../settings/gateway-settings.ts';

/** Gives the objects of one kind what they leave to the server: suggestions, until the transaction of the write reserves them. */
export interface Allocator {
  /** `old` is the object before an update. */
  begin(old: ApiObject | undefined, call: CallContext): AllocationAttempt;
}

/** The allocations of one write, over all of its attempts. */
export interface AllocationAttempt {
  /**
   * Fills in what an object leaves to the server. Throws Invalid for what it asks for and cannot have, and InternalError
   * when nothing is left.
   */
  fill(object: ApiObject): Promise<void>;
  /** Takes note that another object holds a reservation; throws Invalid when this one asked for the value. */
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
  /** 0 to 1. */
  readonly random: () => number;
}
