import type { NetworkInterfaceInfo } from 'node:os';
import { canonicalIpAddress, fieldPath } from '@binnacle/api-objects';
import { endpointAddressErrors, ipFamilyFromAddress } from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { parseAddressRanges } from '../write/allocation/address-pool.ts';

type AddressSettings = Pick<
  GatewaySettings,
  'advertiseAddress' | 'bindAddress' | 'endpointReconcilerType' | 'serviceClusterIpRange'
>;

/** The protocol and network interfaces of a server. */
interface Reach {
  readonly servesTls: boolean;
  /** Network interfaces by name. */
  readonly interfaces: Readonly<Partial<Record<string, readonly Pick<NetworkInterfaceInfo, 'address'>[]>>>;
}

const unspecified = new Set(['0.0.0.0', '::']);

/**
 * The address of this server for the Endpoints of the API's service: the one that is set, else the one that it listens on,
 * else the first of its interfaces. It is of the family of the default range of services. Undefined where Endpoints are not
 * kept, or the server listens at no address that Endpoints may hold, or without TLS, which clients of these Endpoints expect.
 * Throws for a set address that they may not hold.
 */
export function advertisedAddress(
  settings: AddressSettings,
  { servesTls, interfaces }: Reach,
): string | undefined {
  const { bindAddress, endpointReconcilerType } = settings;
  const set = canonicalIpAddress(settings.advertiseAddress ?? '');
  if (endpointReconcilerType === 'none') return undefined;
  const [range] = parseAddressRanges(settings.serviceClusterIpRange);
  const family = range?.family ?? 'IPv4';
  if (set !== '' && !unspecified.has(set)) {
    const [error] = addressErrors(set);
    if (error !== undefined) throw new FlagError(`--advertise-address: ${error.detail}: "${set}"`);
    if (ipFamilyFromAddress(set) !== family)
      throw new Error(
        `--advertise-address: must be of the family of --service-cluster-ip-range, ${family}: "${set}"`,
      );
    return set;
  }
  if (!servesTls) return undefined;
  const isEverywhere = unspecified.has(bindAddress) || set !== '';
  const addresses = isEverywhere
    ? Object.values(interfaces).flatMap(each => (each ?? []).map(({ address }) => address))
    : [bindAddress];
  return addresses.find(
    address => addressErrors(address).length === 0 && ipFamilyFromAddress(address) === family,
  );
}

function addressErrors(address: string) {
  return endpointAddressErrors(address, fieldPath('ip'));
}
