import { createSecureContext, type SecureContext } from 'node:tls';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';

/** How connections to the servers of a configuration are secured. */
interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly servername?: string;
}

/** The authorities, the client certificate and the server's name of a configuration. */
export function tlsOptions(configuration: ClientConfiguration): TlsOptions {
  const { certificateAuthority, clientCertificate, clientKey, tlsServerName } = configuration;
  return {
    // Made once: reading the certificates costs as much as a handshake.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(certificateAuthority && { ca: certificateAuthority }),
      ...(clientCertificate && { cert: clientCertificate }),
      ...(clientKey && { key: clientKey }),
    }),
    ...(tlsServerName && { servername: tlsServerName }),
  };
}
