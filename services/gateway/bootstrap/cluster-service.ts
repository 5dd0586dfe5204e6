import { objects } from '@binnacle/api-names';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { createAddressPool, parseAddressRanges } from '../write/allocation/address-pool.ts';
import type { BootstrapObject } from './ensure-objects.ts';

/** The service by which programs in the cluster find the servers of this API. */
export const serverService = { namespace: 'default', name: objects.apiService } as const;

/**
 * The service by which programs in the cluster find this server, at the first address of the default
 * range. `port` is the one that the server listens on.
 */
export function clusterService(
  settings: Pick<GatewaySettings, 'serviceClusterIpRange'>,
  port: number,
): BootstrapObject[] {
  const pools = parseAddressRanges(settings.serviceClusterIpRange).map(createAddressPool);
  return pools.slice(0, 1).map(pool => {
    const address = pool.valueAt(0);
    return {
      group: '',
      version: 'v1',
      resource: 'services',
      ...serverService,
      content: {
        metadata: { labels: { component: 'apiserver', provider: objects.apiService } },
        spec: {
          type: 'ClusterIP',
          clusterIP: address,
          clusterIPs: [address],
          ipFamilies: [pool.family],
          ipFamilyPolicy: 'SingleStack',
          ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
        },
      },
      comesBack: true,
      reconciled: undefined,
    };
  });
}
