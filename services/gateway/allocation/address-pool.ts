import { isIP } from 'node:net';
import { canonicalIpAddress } from '@binnacle/api-objects';
import { type Cidr, clusterIPClaims, type IpFamily, parseCidr } from '@binnacle/api-types';
import type { Pool } from './pool.ts';

/** The pool of the cluster IPs of one family. */
export interface AddressPool extends Pool {
  readonly family: IpFamily;
}

/** The most bits in which the addresses of a range may differ. */
const mostBits = 20;
/** The fewest: eight addresses. */
const fewestBits = 3;

/**
 * Reads the ranges that cluster IPs are from: one, or two of different families, the default one first. Throws for anything
 * else, and for ranges of fewer than eight addresses or more than 2^20.
 */
export function parseAddressRanges(texts: readonly string[]): Cidr[] {
  const ranges = texts.map(text => {
    const range = parseCidr(text);
    if (range === undefined) throw new Error(`not a range of addresses: "${text}"`);
    const bits = bitsOf(range.family) - range.prefixLength;
    if (bits > mostBits || bits < fewestBits)
      throw new Error(
        `a range of cluster IPs has from 2^${fewestBits} to 2^${mostBits} addresses, not 2^${bits}: "${text}"`,
      );
    return range;
  });
  if (ranges.length === 0 || ranges.length > 2 || ranges[0]?.family === ranges[1]?.family)
    throw new Error('cluster IPs are of one range, or of two of which one is IPv4 and one IPv6');
  return ranges;
}

/**
 * The pool of a range: all its addresses but the first one, which names the range, and for IPv4 the last one, which is for
 * broadcasts. A sixteenth of it, but at least 16 and at most 256, is for those who ask for an address.
 */
export function createAddressPool(range: Cidr): AddressPool {
  const bits = bitsOf(range.family) - range.prefixLength;
  const network = (numberFrom(range.address) >> BigInt(bits)) << BigInt(bits);
  const all = 2 ** bits;
  const size = range.family === 'IPv4' ? all - 2 : all - 1;
  return {
    family: range.family,
    name: `cluster IPs ${textFrom(network, range.family)}/${range.prefixLength}`,
    claimPrefix: clusterIPClaims,
    size,
    firstDynamic: all < 16 ? 0 : Math.min(Math.max(16, all / 16), 256, size),
    valueAt: offset => textFrom(network + BigInt(offset + 1), range.family),
    offsetOf(value) {
      if (isIP(value) !== (range.family === 'IPv4' ? 4 : 6)) return undefined;
      const offset = numberFrom(value) - network - 1n;
      return offset >= 0n && offset < BigInt(size) ? Number(offset) : undefined;
    },
  };
}

function bitsOf(family: IpFamily): number {
  return family === 'IPv4' ? 32 : 128;
}

/** The number that a canonical address is. */
function numberFrom(address: string): bigint {
  if (isIP(address) === 4) return joined(address.split('.').map(Number), 8n);
  const [head = '', tail] = address.split('::');
  const words = wordsOf(head);
  const last = wordsOf(tail ?? '');
  const middle = tail === undefined ? [] : new Array<number>(8 - words.length - last.length).fill(0);
  return joined([...words, ...middle, ...last], 16n);
}

function wordsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map(word => Number.parseInt(word, 16));
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) | BigInt(part), 0n);
}

/** The canonical form of the address that a number is. */
function textFrom(number: bigint, family: IpFamily): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map(shift => (number >> shift) & 0xffn).join('.');
  const words = Array.from({ length: 8 }, (_, i) =>
    ((number >> BigInt(16 * (7 - i))) & 0xffffn).toString(16),
  );
  return canonicalIpAddress(words.join(':'));
}
