import { isIPv4, isIPv6 } from 'node:net';

const portMessage = 'must be between 1 and 65535, inclusive';
const ipMessage = 'must be a valid IP address, (for example 10.9.8.7 or 2001:db8::ffff)';

/** Validates an IP address of either family; refuses zones, accepts leading zeros in IPv4 parts. */
export function validateIpAddress(value: string): string[] {
  return isDottedIPv4(value) || isPlainIPv6(value) ? [] : [ipMessage];
}

/** Validates an IPv4 address; accepts leading zeros in its parts. */
export function validateIPv4Address(value: string): string[] {
  return isDottedIPv4(value) ? [] : ['must be a valid IPv4 address'];
}

/** Validates an IPv6 address without a zone. */
export function validateIPv6Address(value: string): string[] {
  return isPlainIPv6(value) ? [] : ['must be a valid IPv6 address'];
}

/** Validates a port number. */
export function validatePortNumber(value: number): string[] {
  return Number.isInteger(value) && value >= 1 && value <= 65_535 ? [] : [portMessage];
}

/** Validates a port name as an IANA service name: at most 15 characters, at least one letter. */
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

/** Validates a user or group ID. */
export function validateProcessId(value: number | bigint): string[] {
  const fine = Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;
  return fine ? [] : ['must be between 0 and 2147483647, inclusive'];
}

/** Validates an address with a port, such as `0.0.0.0:10254` or `[::]:10254`. */
export function validateSocketAddress(value: string): string[] {
  const match = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(value.slice(0, 256));
  if (match === null || value.length > 256)
    return ['must be a valid socket address, (for example 0.0.0.0:10254 or [::]:10254)'];
  const port = /^[0-9]{1,9}$/.test(match[3]!) ? Number(match[3]) : 0;
  return [...validatePortNumber(port), ...validateIpAddress(match[1] ?? match[2]!)];
}

/** Returns the canonical form of a valid IP address, so that equal addresses have equal texts; returns other texts unchanged. */
export function canonicalIpAddress(value: string): string {
  if (isDottedIPv4(value)) return withoutLeadingZeros(value);
  return isPlainIPv6(value) ? new URL(`http://[${value}]`).hostname.slice(1, -1) : value;
}

// This API has always parsed leading zeros as decimal, so stored addresses with them must stay valid.
function isDottedIPv4(value: string): boolean {
  return value.length <= 15 && isIPv4(withoutLeadingZeros(value));
}

function withoutLeadingZeros(value: string): string {
  return value.replace(/(^|\.)0+(?=[0-9])/g, '$1');
}

function isPlainIPv6(value: string): boolean {
  return !value.includes('%') && isIPv6(value);
}
