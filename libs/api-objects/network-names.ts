import { isIPv4, isIPv6 } from 'node:net';

const portMessage = 'must be between 1 and 65535, inclusive';
const ipMessage = 'must be a valid IP address, (for example 10.9.8.7 or 2001:db8::ffff)';

/** Rule of an IP address of either family; zones are refused, leading zeros of an IPv4 part are not. */
export function validateIpAddress(value: string): string[] {
  return isDottedIPv4(value) || isPlainIPv6(value) ? [] : [ipMessage];
}

/** Rule of an IPv4 address; leading zeros of a part are allowed. */
export function validateIPv4Address(value: string): string[] {
  return isDottedIPv4(value) ? [] : ['must be a valid IPv4 address'];
}

/** Rule of an IPv6 address without a zone. */
export function validateIPv6Address(value: string): string[] {
  return isPlainIPv6(value) ? [] : ['must be a valid IPv6 address'];
}

/** Rule of a port number. */
export function validatePortNumber(value: number): string[] {
  return Number.isInteger(value) && value >= 1 && value <= 65_535 ? [] : [portMessage];
}

/** Rule of a port's name as IANA registers service names: at most 15 characters, with a letter. */
export function validatePortName(value: string): string[] {
  const messages: string[] = [];
  if (value.length > 15) messages.push('must be no more than 15 characters');
  if (value.length > 65_536) return messages;
  if (!/^[-a-z0-9]+$/.test(value)) messages.push('must contain only lower case letters, digits and hyphens');
  if (!/[a-z]/.test(value)) messages.push('must contain at least one letter');
  if (value.includes('--')) messages.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) messages.push('must not begin or end with a hyphen');
  return messages;
}

/** Rule of a user or group number of a process. */
export function validateProcessId(value: number | bigint): string[] {
  const fine = Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;
  return fine ? [] : ['must be between 0 and 2147483647, inclusive'];
}

/** Rule of an address with a port, such as `0.0.0.0:10254` or `[::]:10254`. */
export function validateSocketAddress(value: string): string[] {
  const match = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(value.slice(0, 256));
  if (match === null || value.length > 256)
    return ['must be a valid socket address, (for example 0.0.0.0:10254 or [::]:10254)'];
  const port = /^[0-9]{1,9}$/.test(match[3]!) ? Number(match[3]) : 0;
  return [...validatePortNumber(port), ...validateIpAddress(match[1] ?? match[2]!)];
}

/** Writes a valid address in its one canonical form, so that equal addresses are equal texts; others come back as they are. */
export function canonicalIpAddress(value: string): string {
  if (isDottedIPv4(value)) return withoutLeadingZeros(value);
  return isPlainIPv6(value) ? new URL(`http://[${value}]`).hostname.slice(1, -1) : value;
}

// Addresses with leading zeros were always read as decimal by this API; they must stay readable.
function isDottedIPv4(value: string): boolean {
  return value.length <= 15 && isIPv4(withoutLeadingZeros(value));
}

function withoutLeadingZeros(value: string): string {
  return value.replace(/(^|\.)0+(?=[0-9])/g, '$1');
}

function isPlainIPv6(value: string): boolean {
  return !value.includes('%') && isIPv6(value);
}
