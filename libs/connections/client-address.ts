import { isIPv6 } from 'node:net';

const mappedPrefix = '::ffff:';
const networkGroups = 4;

/**
 * Returns the address for which a connection is counted: the IPv4 address, or the /64 network of an IPv6 address,
 * because each client chooses the remaining bits itself.
 */
export function clientAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return '';
  const address = remoteAddress.toLowerCase().split('%')[0] ?? '';
  if (!isIPv6(address)) return address;
  if (address.startsWith(mappedPrefix) && address.includes('.')) return address.slice(mappedPrefix.length);
  return `${leadingGroups(address).join(':')}::/64`;
}

function leadingGroups(address: string): string[] {
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  if (after !== undefined) {
    const rest = after === '' ? 0 : after.split(':').length + (after.includes('.') ? 1 : 0);
    while (groups.length < Math.min(networkGroups, 8 - rest)) groups.push('0');
    groups.push(...after.split(':'));
  }
  return groups.slice(0, networkGroups).map(group => group.replace(/^0+(?=.)/, '') || '0');
}
