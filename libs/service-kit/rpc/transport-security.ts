import type { TlsMaterial } from '../tls/tls-material.ts';

/** Mutual TLS, or plaintext when somebody says so outright. */
export type TransportSecurity =
  | { readonly tls: TlsMaterial; readonly insecure?: false }
  | { readonly insecure: true; readonly tls?: undefined };
