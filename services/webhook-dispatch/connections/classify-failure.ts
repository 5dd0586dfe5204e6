import { refusedAddressCode } from '@binnacle/network-filter';
import type { CallFailure } from '@binnacle/proto';

const certificateCodes: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
]);

/** The kind of failure of an error of a connection or of TLS. */
export function classifyFailure(error: unknown): CallFailure {
  const code = errorCodeOf(error);
  if (code === refusedAddressCode) return 'INVALID_TARGET';
  if (certificateCodes.has(code) || code.startsWith('CERT_')) return 'CERTIFICATE';
  return 'CONNECTION';
}

/** The code of a system or TLS error; '' when it has none. */
export function errorCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}
