import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the 4 or 16 bytes of an IP address; undefined for any other text. Zones (`fe80::1%eth0`), leading zeros and
 * the hexadecimal and decimal forms of IPv4 addresses are refused, because programs parse them differently.
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

/** Returns the bytes of groups between colons, the last of which may be a dotted IPv4 address. */
function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap(group => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
