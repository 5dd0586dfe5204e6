import { groups, labels, understood } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { ipFamilyFromAddress } from '@binnacle/api-types';
import type { EndpointSlice } from '@binnacle/api-types/discovery/v1';
import { serverService } from './cluster-service.ts';
import type { BootstrapObject } from './ensure-objects.ts';
import type { ServerAddress } from './server-leases.ts';

/** The type, namespace and name of an object of the API's service. */
export type ServerObjectName = Pick<BootstrapObject, 'group' | 'version' | 'resource' | 'name'> & {
  readonly namespace: string;
};

/** An object of the API's service: labels are added to those that it has, everything else is as in `fields`. */
export type ServerObject = ServerObjectName & {
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: JsonObject;
};

const { name } = serverService;

/** The Endpoints of the API's service. */
export const serverEndpoints: ServerObjectName = {
  group: '',
  version: 'v1',
  resource: 'endpoints',
  ...serverService,
};

/** The first slice of the API's service; names of further ones begin with its name. */
export const serverSlice: ServerObjectName = {
  group: groups.discovery,
  version: 'v1',
  resource: 'endpointslices',
  ...serverService,
};

/** Controllers that make slices of Endpoints leave them alone: the servers write their slices. */
const endpointsLabels = { [labels.sliceSkipMirror]: 'true' };
// Under each alias, so that clients find a slice by theirs.
const sliceLabels = Object.fromEntries(understood.labels.serviceName.map(label => [label, name]));

const sliceNames = new RegExp(`^${name}(-\\d+)?$`);

/** Whether a slice is one that servers write: it has one of their names, and their label. */
export function isServerSlice({ metadata }: Pick<EndpointSlice, 'metadata'>): boolean {
  const service = metadata.labels?.[labels.serviceName];
  return service === name && sliceNames.test(metadata.name ?? '');
}

/**
 * The Endpoints of the API's service, a subset for each port, and its slices: that with the service's name, and where servers
 * listen on several ports, one for each further port with the port in its name.
 */
export function endpointsOfServers(servers: readonly ServerAddress[]): {
  readonly endpoints: ServerObject;
  readonly slices: readonly ServerObject[];
} {
  const groups = groupsByPort(servers);
  const subsets = groups.map(({ addresses, port }) => ({
    addresses: addresses.map(ip => ({ ip })),
    ports: [portNumbered(port)],
  }));
  return {
    endpoints: { ...serverEndpoints, labels: endpointsLabels, fields: { subsets } },
    slices: groups.map(({ addresses, port }, i) => ({
      ...serverSlice,
      name: i === 0 ? name : `${name}-${port}`,
      labels: sliceLabels,
      fields: {
        addressType: ipFamilyFromAddress(addresses[0] ?? ''),
        endpoints: addresses.map(address => ({ addresses: [address], conditions: { ready: true } })),
        ports: [portNumbered(port)],
      },
    })),
  };
}

interface PortGroup {
  readonly port: number;
  readonly addresses: readonly string[];
}

/** Ports in ascending order, and the addresses of each as texts are sorted: equal sets are equal objects. */
function groupsByPort(servers: readonly ServerAddress[]): PortGroup[] {
  const ports = [...new Set(servers.map(({ port }) => port))].toSorted((a, b) => a - b);
  return ports.map(port => {
    const addresses = servers.filter(server => server.port === port).map(({ address }) => address);
    return { port, addresses: [...new Set(addresses)].toSorted() };
  });
}

function portNumbered(port: number): JsonObject {
  return { name: 'https', port, protocol: 'TCP' };
}
