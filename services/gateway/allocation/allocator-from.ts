import type { TypeRegistry } from '@binnacle/api-types';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ConsistentReads } from '../read/consistent-read.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { parseAddressRanges } from './address-pool.ts';
import { parsePortRange } from './port-pool.ts';
import { type AllocatedRanges, createServiceAllocator, type ServiceAllocator } from './service-allocator.ts';

/** Reads the ranges that services are given values of. Throws when they are none. */
export function rangesFromSettings(
  settings: Pick<GatewaySettings, 'serviceClusterIpRange' | 'serviceNodePortRange'>,
): AllocatedRanges {
  return {
    addresses: parseAddressRanges(settings.serviceClusterIpRange),
    nodePorts: parsePortRange(settings.serviceNodePortRange),
  };
}

/** Creates the allocator of a gateway; undefined when services are not served. */
export function allocatorFrom(
  ranges: AllocatedRanges,
  parts: {
    readonly registry: TypeRegistry;
    readonly watchCache: WatchCache;
    readonly consistentReads: ConsistentReads;
    readonly random: () => number;
  },
): ServiceAllocator | undefined {
  const { registry, watchCache, consistentReads, random } = parts;
  const definition = registry.resource('', 'v1', 'services');
  if (definition === undefined) return undefined;
  const cache = watchCache.type(definition);
  return createServiceAllocator({ definition, ranges, cache, consistentReads, random });
}
