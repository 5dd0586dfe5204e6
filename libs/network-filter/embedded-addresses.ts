import { type Network, networkHolds, parseNetworks } from './network.ts';

/** The positions of an IPv4 address in the IPv6 addresses of a network. */
interface Embedding {
  readonly network: Network;
  /** Positions of the four bytes, for each form. */
  readonly positions: readonly (readonly number[])[];
  /** The bits of the IPv4 address are inverted. */
  readonly inverted?: true;
  /** A form whose first byte is 0 is skipped: the zero is padding of another form. */
  readonly zerosArePadding?: true;
}

const lastFour = [12, 13, 14, 15];

const embeddings: readonly Embedding[] = [
  // IPv4-compatible, except `::` and `::1`.
  embedding('::/96', [lastFour]),
  // IPv4-mapped.
  embedding('::ffff:0:0/96', [lastFour]),
  // IPv4-translated (RFC 2765).
  embedding('::ffff:0:0:0/96', [lastFour]),
  // NAT64 (RFC 6052).
  embedding('64:ff9b::/96', [lastFour]),
  // 6to4 (RFC 3056).
  embedding('2002::/16', [[2, 3, 4, 5]]),
  // Teredo (RFC 4380): the server, and the client.
  embedding('2001::/32', [[4, 5, 6, 7]]),
  { ...embedding('2001::/32', [lastFour]), inverted: true },
  // Local-use NAT64 (RFC 8215), with each possible prefix length (RFC 6052; byte 8 is never part of the address).
  {
    ...embedding('64:ff9b:1::/48', [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], lastFour]),
    zerosArePadding: true,
  },
];

function embedding(network: string, positions: Embedding['positions']): Embedding {
  const [parsed] = parseNetworks([network]);
  return { network: parsed!, positions }; // one network in, one out
}

/** Returns the IPv4 addresses to which an IPv6 address leads by transition mechanisms; none for IPv4 addresses. */
export function embeddedAddresses(address: Uint8Array): Uint8Array[] {
  if (address.length !== 16) return [];
  const found = embeddings
    .filter(({ network }) => networkHolds(network, address) && !isOwnAddress(address))
    .flatMap(({ positions, inverted, zerosArePadding }) =>
      positions
        .map(indexes => bytesAt(address, indexes, inverted ? 0xff : 0))
        .filter(bytes => !zerosArePadding || bytes[0] !== 0),
    );
  return isIsatap(address) ? [...found, bytesAt(address, lastFour, 0)] : found;
}

function bytesAt(address: Uint8Array, indexes: readonly number[], flip: number): Uint8Array {
  return Uint8Array.from(indexes.map(index => (address[index] ?? 0) ^ flip));
}

/** `::` and `::1`. */
function isOwnAddress(address: Uint8Array): boolean {
  return address.subarray(0, 15).every(byte => byte === 0) && (address[15] ?? 0) < 2;
}

/** Whether the interface identifier holds an IPv4 address (RFC 5214), in any network. */
function isIsatap(address: Uint8Array): boolean {
  const [u, zero, five, fe] = address.subarray(8, 12);
  return (u === 0 || u === 2) && zero === 0 && five === 0x5e && fe === 0xfe;
}
