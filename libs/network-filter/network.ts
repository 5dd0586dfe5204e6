import { addressBytes } from './address-bytes.ts';

/** A range of addresses of one family. */
export interface Network {
  /** The text from which the network was parsed. */
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly prefixLength: number;
}

/** Parses networks such as `10.0.0.0/8` and `fd00::/8`; throws an Error that names the first invalid text. */
export function parseNetworks(texts: readonly string[]): Network[] {
  return texts.map(parseNetwork);
}

function parseNetwork(text: string): Network {
  const [address = '', length = '', ...rest] = text.split('/');
  const bytes = addressBytes(address);
  if (bytes === undefined || rest.length > 0 || !/^(0|[1-9][0-9]{0,2})$/.test(length))
    throw invalidNetwork(text, 'must be an address and a prefix length, such as 10.0.0.0/8 or fd00::/8');
  const prefixLength = Number(length);
  if (prefixLength > bytes.length * 8)
    throw invalidNetwork(text, `the prefix length must be at most ${bytes.length * 8}`);
  const network = { text, bytes, prefixLength };
  // Such bits are likely a typo, which would deny another network than the intended one.
  if (bytes.some((byte, index) => byte !== (byte & maskByte(prefixLength, index))))
    throw invalidNetwork(text, `the address has bits beyond the prefix length of ${prefixLength}`);
  return network;
}

/** Whether a network contains the address with these bytes; false for the other address family. */
export function networkHolds({ bytes, prefixLength }: Network, address: Uint8Array): boolean {
  if (bytes.length !== address.length) return false;
  for (let index = 0; index * 8 < prefixLength; index++)
    // The index is below the length of both arrays.
    if (((bytes[index]! ^ address[index]!) & maskByte(prefixLength, index)) !== 0) return false;
  return true;
}

/** Returns the mask of the prefix for the byte at an index. */
function maskByte(prefixLength: number, index: number): number {
  const bits = Math.min(Math.max(prefixLength - index * 8, 0), 8);
  return (0xff << (8 - bits)) & 0xff;
}

function invalidNetwork(text: string, why: string): Error {
  return new Error(`invalid network "${text}": ${why}`);
}

const mappedPrefix = '::ffff:';

/** Whether an address, as reported by a socket, is in one of the networks; an IPv4-mapped address counts as IPv4. */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  const isMapped = address.startsWith(mappedPrefix) && address.includes('.');
  const bytes = addressBytes(isMapped ? address.slice(mappedPrefix.length) : address);
  return bytes !== undefined && networks.some(network => networkHolds(network, bytes));
}
