import { createAddressFilter, createKnownHosts, parseNetworks } from '@binnacle/network-filter';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import type { Proxying } from './serve-proxy.ts';

/** Most requests that are passed on to services, pods and nodes at a time. */
const maxProxiedRequests = 400;

/**
 * Creates the limits and the address filter of proxied requests. `backendHosts` are the `host:port` of the services
 * and brokers behind the gateway. Throws an Error that names a network or a host that cannot be read.
 */
export function createProxying(
  settings: Pick<GatewaySettings, 'allowLoopbackProxy' | 'proxyDeniedNetworks' | 'requestTimeout'>,
  backendHosts: readonly string[],
): Proxying {
  const backends = createKnownHosts({ hosts: backendHosts });
  const filter = createAddressFilter({
    denied: parseNetworks(settings.proxyDeniedNetworks),
    allowLoopback: settings.allowLoopbackProxy,
    backends,
  });
  return { filter, backends, timeoutMs: settings.requestTimeout, limit: maxProxiedRequests, underWay: 0 };
}
