import type { TlsMaterial } from '@binnacle/tls';

/** Mutual TLS, or plaintext if `insecure` is set explicitly. */
export type TransportSecurity =
  | { readonly tls: TlsMaterial; readonly insecure?: false }
  | { readonly insecure: true; readonly tls?: undefined };
