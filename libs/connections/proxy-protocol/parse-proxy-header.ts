/** The result of parsing the first bytes of a connection. */
type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid' }
  | {
      readonly kind: 'complete';
      /** Length of the header in bytes; the client's bytes follow. */
      readonly length: number;
      /** The client's address; undefined if the connection is the balancer's own, or has no TCP client. */
      readonly client: string | undefined;
    };

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const fixedBytes = 16;
/** Maximum length of addresses and extensions, in bytes: more than any balancer sends. */
const mostBytesBehind = 1024;

const invalid: ProxyHeader = { kind: 'invalid' };
const incomplete: ProxyHeader = { kind: 'incomplete' };

/**
 * Parses a PROXY protocol header, version 2, from the first bytes of a connection. The header has at most 1,040 bytes;
 * an invalid one is detected as early as possible. Only TCP connections have client addresses; extensions are skipped.
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  const start = bytes.subarray(0, signature.length);
  if (!start.equals(signature.subarray(0, start.length))) return invalid;
  if (bytes.length < fixedBytes) return incomplete;
  const [versionAndCommand = 0, familyAndTransport = 0] = bytes.subarray(12, 14);
  const behind = bytes.readUInt16BE(14);
  if (versionAndCommand >> 4 !== 2 || behind > mostBytesBehind) return invalid;
  const command = versionAndCommand & 0x0f;
  if (command > 1) return invalid;
  const length = fixedBytes + behind;
  if (bytes.length < length) return incomplete;
  if (command === 0) return { kind: 'complete', length, client: undefined };
  return withClient(bytes.subarray(fixedBytes, length), familyAndTransport);
}

const overTcp4 = 0x11;
const overTcp6 = 0x21;
/** Bytes of both addresses and both ports. */
const addressBytes: Readonly<Record<number, number>> = { [overTcp4]: 12, [overTcp6]: 36 };

function withClient(behind: Buffer, familyAndTransport: number): ProxyHeader {
  const length = fixedBytes + behind.length;
  const needed = addressBytes[familyAndTransport];
  if (needed === undefined) return { kind: 'complete', length, client: undefined };
  if (behind.length < needed) return invalid;
  const client = familyAndTransport === overTcp4 ? ipv4From(behind) : ipv6From(behind);
  return { kind: 'complete', length, client };
}

function ipv4From(bytes: Buffer): string {
  return [...bytes.subarray(0, 4)].join('.');
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

function ipv6From(bytes: Buffer): string {
  if (bytes.subarray(0, 12).equals(mappedPrefix)) return ipv4From(bytes.subarray(12));
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  // The compressed notation, as in `remoteAddress` of a socket.
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}
