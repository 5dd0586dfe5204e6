import { BlockList, isIP } from 'node:net';
import { canonicalIpAddress, validateIpAddress } from '@binnacle/api-objects';
import { ipFamilyFromAddress } from './ip-addresses.ts';

/** A range of IP addresses, such as `10.0.0.0/8`. */
export interface Cidr {
  readonly family: 'IPv4' | 'IPv6';
  /** An address of the range, in canonical form. */
  readonly address: string;
  /** The number of leading bits that all addresses of the range share. */
  readonly prefixLength: number;
}

/** Parses a range of IP addresses; undefined for invalid text. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...rest] = text.split('/', 3);
  if (rest.length > 0 || !/^[0-9]{1,3}$/.test(length) || validateIpAddress(address).length > 0)
    return undefined;
  const canonical = canonicalIpAddress(address);
  const prefixLength = Number(length);
  return prefixLength > (isIP(canonical) === 4 ? 32 : 128)
    ? undefined
    : { family: ipFamilyFromAddress(canonical), address: canonical, prefixLength };
}

/** Whether a range is a proper subset of another. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.family !== outer.family || inner.prefixLength <= outer.prefixLength) return false;
  const range = new BlockList();
  const family = outer.family === 'IPv4' ? 'ipv4' : 'ipv6';
  range.addSubnet(outer.address, outer.prefixLength, family);
  return range.check(inner.address, family);
}
