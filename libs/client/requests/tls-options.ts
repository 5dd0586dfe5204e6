import { createSecureContext, type SecureContext } from 'node:tls';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import type { Credentials } from '../credentials/credential-source.ts';

/** How connections to the servers of a configuration are secured. */
interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly servername?: string;
  readonly rejectUnauthorized?: false;
}

/** The authorities and the server's name of a configuration, with the certificate of the credentials. */
export function tlsOptions(
  { certificateAuthority, tlsServerName, insecureSkipTlsVerify }: ClientConfiguration,
  { clientCertificate, clientKey }: Credentials,
): TlsOptions {
  return {
    // Made once: reading the certificates costs as much as a handshake.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(certificateAuthority && { ca: certificateAuthority }),
      ...(clientCertificate && { cert: clientCertificate }),
      ...(clientKey && { key: clientKey }),
    }),
    ...(tlsServerName && { servername: tlsServerName }),
    ...(insecureSkipTlsVerify && { rejectUnauthorized: false }),
  };
}
