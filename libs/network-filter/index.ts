export { addressBytes } from './address-bytes.ts';
export {
  type AddressFilter,
  type AddressFilterOptions,
  createAddressFilter,
} from './address-filter.ts';
export { defaultDeniedNetworks } from './default-denied-networks.ts';
export { createFilteredLookup, refusedAddressCode } from './filtered-lookup.ts';
export { createKnownHosts, type KnownHosts, type KnownHostsOptions } from './known-hosts.ts';
export { isInNetworks, type Network, parseNetworks } from './network.ts';
