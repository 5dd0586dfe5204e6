import { canonicalIpAddress } from '@binnacle/api-objects';
import { type Cidr, clusterIPReservations, type IpFamily, parseCidr } from '@binnacle/api-types';
import { addressBytes } from '@binnacle/network-filter';
import type { Pool } from './pool.ts';

/** The pool of the cluster IPs of one family. */
export interface AddressPool extends Pool {
  readonly family: IpFamily;
}

/** Most bits in which the addresses of a range may differ. */
const mostBits = 20;
/** Fewest bits: eight addresses. */
const fewestBits = 3;

/**
 * Reads the ranges that cluster IPs are from: one, or two of different families, the default one first. Throws for anything
 * else, and for ranges of fewer than eight addresses or more than 2^20.
 */
export function parseAddressRanges(texts: readonly string[]): Cidr[] {
  const ranges = texts.map(text => {
    const range = parseCidr(text);
    if (range === undefined) throw new Error(`not a range of addresses: "${text}"`);
    const bits = addressBits(range.family) - range.prefixLength;
    if (bits > mostBits || bits < fewestBits)
      throw new Error(
        `a range of cluster IPs has from 2^${fewestBits} to 2^${mostBits} addresses, not 2^${bits}: "${text}"`,
      );
    return range;
  });
  if (ranges.length === 0 || ranges.length > 2 || ranges[0]?.family === ranges[1]?.family)
    throw new Error('cluster IPs have one range, or two: one IPv4 and one IPv6');
  return ranges;
}

/**
 * Creates the pool of a range: all its addresses but the first one, which names the range, and for IPv4 the last one,
 * which is for broadcasts. A sixteenth of it, at least 16 and at most 256, is left for requests that name an address.
 */
export function createAddressPool(range: Cidr): AddressPool {
  const bits = addressBits(range.family) - range.prefixLength;
  const first = numberFrom(range.address, range.family);
  if (first === undefined) throw new Error(`not a range of ${range.family} addresses: "${range.address}"`);
  const network = (first >> BigInt(bits)) << BigInt(bits);
  const all = 2 ** bits;
  const size = range.family === 'IPv4' ? all - 2 : all - 1;
  return {
    family: range.family,
    name: `cluster IPs ${textFrom(network, range.family)}/${range.prefixLength}`,
    reservationPrefix: clusterIPReservations,
    size,
    firstDynamic: all < 16 ? 0 : Math.min(Math.max(16, all / 16), 256, size),
    valueAt: offset => textFrom(network + BigInt(offset + 1), range.family),
    offsetOf(value) {
      const number = numberFrom(value, range.family);
      if (number === undefined) return undefined;
      const offset = number - network - 1n;
      return offset >= 0n && offset < BigInt(size) ? Number(offset) : undefined;
    },
  };
}

function addressBits(family: IpFamily): number {
  return family === 'IPv4' ? 32 : 128;
}

/** The number of an address of a family; undefined for anything else. */
function numberFrom(address: string, family: IpFamily): bigint | undefined {
  const bytes = addressBytes(address);
  if (bytes?.length !== addressBits(family) / 8) return undefined;
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** The canonical text of the address with a number. */
function textFrom(number: bigint, family: IpFamily): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map(shift => (number >> shift) & 0xffn).join('.');
  const words = Array.from({ length: 8 }, (_, i) =>
    ((number >> BigInt(16 * (7 - i))) & 0xffffn).toString(16),
  );
  return canonicalIpAddress(words.join(':'));
}
