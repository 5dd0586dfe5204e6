import { addressBytes } from './address-bytes.ts';

/** A range of addresses of one family. */
export interface Network {
  /** As it was written. */
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly prefixLength: number;
}

/** Reads networks such as `10.0.0.0/8` and `fd00::/8`; throws an Error that names the first text that is none. */
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
  // A slip in one of them would deny another network than the one that is meant.
  if (bytes.some((byte, index) => byte !== (byte & maskByte(prefixLength, index))))
    throw invalidNetwork(text, `the address has bits beyond the prefix length of ${prefixLength}`);
  return network;
}

/** Whether a network holds the address with these bytes; never for addresses of the other family. */
export function networkHolds({ bytes, prefixLength }: Network, address: Uint8Array): boolean {
  if (bytes.length !== address.length) return false;
  for (let index = 0; index * 8 < prefixLength; index++)
    // Within the length of both.
    if (((bytes[index]! ^ address[index]!) & maskByte(prefixLength, index)) !== 0) return false;
  return true;
}

/** The bits of the byte at an index that a prefix covers. */
function maskByte(prefixLength: number, index: number): number {
  const bits = Math.min(Math.max(prefixLength - index * 8, 0), 8);
  return (0xff << (8 - bits)) & 0xff;
}

function invalidNetwork(text: string, why: string): Error {
  return new Error(`invalid network "${text}": ${why}`);
}

const mappedPrefix = '::ffff:';

/** Whether an address, as a socket names it, is in one of the networks; an IPv4 address in IPv6 form counts as IPv4. */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  const isMapped = address.startsWith(mappedPrefix) && address.includes('.');
  const bytes = addressBytes(isMapped ? address.slice(mappedPrefix.length) : address);
  return bytes !== undefined && networks.some(network => networkHolds(network, bytes));
}
