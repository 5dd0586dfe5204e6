import { isIPv4, isIPv6 } from 'node:net';

/**
 * The bytes of an IP address, four or sixteen; undefined for a text that is none. Zones (`fe80::1%eth0`), leading zeros and
 * the hexadecimal and decimal forms of IPv4 addresses are refused: programs read them differently.
 */
export function addressBytes(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.').map(Number));
  if (text.includes('%') || !isIPv6(text)) return undefined;
  const [head = '', tail] = text.split('::');
  const first = groupBytes(head);
  const last = groupBytes(tail ?? '');
  const bytes = new Uint8Array(16);
  bytes.set(first);
  bytes.set(last, 16 - last.length);
  return bytes;
}

/** The bytes of groups between colons, of which the last may be a dotted IPv4 address. */
function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap(group => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
