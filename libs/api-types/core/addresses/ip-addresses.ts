import { isIPv6 } from 'node:net';
import { type FieldError, type FieldPath, invalidField, validateIpAddress } from '@binnacle/api-objects';

/** Returns the family of an IP address in the notation of Service and EndpointSlice. */
export function ipFamilyFromAddress(address: string): 'IPv4' | 'IPv6' {
  return isIPv6(address) ? 'IPv6' : 'IPv4';
}

/** Validates an endpoint address: it must be a valid address that is not loopback, link-local or otherwise special. */
export function endpointAddressErrors(address: string, path: FieldPath): FieldError[] {
  const messages = validateIpAddress(address);
  if (messages.length > 0) return messages.map(message => invalidField(path, address, message));
  const special = ipFamilyFromAddress(address) === 'IPv4' ? specialIPv4(address) : specialIPv6(address);
  return special === undefined ? [] : [invalidField(path, address, `may not be ${special}`)];
}

function specialIPv4(address: string): string | undefined {
  if (address === '0.0.0.0') return 'unspecified (0.0.0.0)';
  if (address.startsWith('127.')) return 'in the loopback range (127.0.0.0/8)';
  if (address.startsWith('169.254.')) return 'in the link-local range (169.254.0.0/16)';
  if (address.startsWith('224.0.0.')) return 'in the link-local multicast range (224.0.0.0/24)';
  return undefined;
}

function specialIPv6(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  if (canonical === '::') return 'unspecified (::)';
  if (canonical === '::1') return 'the loopback address (::1)';
  if (/^fe[89ab]/.test(canonical)) return 'in the link-local range (fe80::/10)';
  if (canonical.startsWith('ff02:')) return 'in the link-local multicast range (ff02::/10)';
  return undefined;
}
