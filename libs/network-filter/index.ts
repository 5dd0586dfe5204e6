export { addressBytes } from './address-bytes.ts';
export { type AddressFilter, createAddressFilter } from './address-filter.ts';
export { defaultDeniedNetworks } from './default-denied-networks.ts';
export { createFilteredLookup, refusedAddressCode } from './filtered-lookup.ts';
export { createKnownHosts, type KnownHosts } from './known-hosts.ts';
export { isInNetworks, parseNetworks } from './network.ts';
