import { BlockList, isIP, isIPv4 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Addresses that stand for this machine, its link, or no machine: link-local ones include metadata services. */
const never = new BlockList();
never.addSubnet('0.0.0.0', 8, 'ipv4');
never.addSubnet('169.254.0.0', 16, 'ipv4');
never.addSubnet('224.0.0.0', 4, 'ipv4');
never.addSubnet('240.0.0.0', 4, 'ipv4');
never.addAddress('::', 'ipv6');
never.addSubnet('fe80::', 10, 'ipv6');
never.addSubnet('ff00::', 8, 'ipv6');

/**
 * Whether requests may be passed on to an address: an IP address, never a name that would have to be resolved, and none
 * of the machine's own, its link or a group. IPv4 addresses written as IPv6 count as what they are.
 */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (never.check(address, family)) return false;
  return allowLoopback || !loopback.check(address, family);
}
