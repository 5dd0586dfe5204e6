import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressFilter } from './address-filter.ts';

/** The error code for a name that has no allowed address. */
export const refusedAddressCode = 'ERR_REFUSED_ADDRESS';

/**
 * Creates a lookup function for sockets that omits refused addresses: the socket connects only to an address that was
 * checked. Sockets do not look up literal addresses; the caller must check these.
 */
export function createFilteredLookup(
  filter: AddressFilter,
  lookup: typeof systemLookup = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => filter.refusal(address) === undefined);
      const [first] = allowed;
      if (first === undefined) return callback(refusedAddress(hostname, addresses, filter), '', 0);
      if (options.all === true) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

function refusedAddress(
  hostname: string,
  [first]: readonly LookupAddress[],
  filter: AddressFilter,
): NodeJS.ErrnoException {
  const why =
    first === undefined
      ? 'has no address'
      : `has the address ${first.address}, which ${filter.refusal(first.address)}`;
  return Object.assign(new Error(`${hostname} ${why}`), { code: refusedAddressCode });
}
