import { readFile } from 'node:fs/promises';
import type { FlagValues } from '@binnacle/service-kit';
import type { IssuerDiscoveryOptions } from './discovery/issuer-documents.ts';
import type { ServingTls } from './server/create-server.ts';
import type { gatewayFlags } from './settings/gateway-flags.ts';
import type { TokenIssuerOptions } from './subresources/token-issuer.ts';

/** Reads what service-account tokens are signed with; undefined: none are issued. */
export async function serviceAccountTokensFromFlags(flags: {
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountIssuer: string;
  readonly apiAudiences: readonly string[];
}): Promise<TokenIssuerOptions | undefined> {
  const { serviceAccountSigningKeyFile: file, serviceAccountIssuer: issuer, apiAudiences } = flags;
  if (!file) return undefined;
  const audiences = apiAudiences.length > 0 ? apiAudiences : [issuer];
  return { signingKey: await readFile(file, 'utf8'), issuer, audiences };
}

/** Reads the keys by which others verify service-account tokens; undefined: flags name none. */
export async function issuerDiscoveryFromFlags(flags: {
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountIssuer: string;
  readonly serviceAccountJwksUri: string | undefined;
}): Promise<IssuerDiscoveryOptions | undefined> {
  const { serviceAccountSigningKeyFile: signingKeyFile, serviceAccountKeyFile: keyFiles } = flags;
  const files = [...(signingKeyFile ? [signingKeyFile] : []), ...keyFiles];
  if (files.length === 0) return undefined;
  return {
    issuer: flags.serviceAccountIssuer,
    jwksUri: flags.serviceAccountJwksUri,
    keys: await Promise.all(files.map(file => readFile(file, 'utf8'))),
  };
}

/** Reads the certificate files that flags name; false for plain HTTP. Throws when they contradict each other. */
export async function servingTlsFromFlags(
  flags: Pick<FlagValues<typeof gatewayFlags>, 'tls' | 'tlsCertFile' | 'tlsPrivateKeyFile' | 'clientCaFile'>,
): Promise<ServingTls | false> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = flags;
  if (!flags.tls) {
    if (clientCaFile)
      throw new Error('--client-ca-file means nothing with --tls=false: there are no client certificates');
    return false;
  }
  if (!tlsCertFile || !tlsPrivateKeyFile) {
    throw new Error(
      '--tls-cert-file and --tls-private-key-file must be given, or --tls=false behind a load balancer that ends TLS',
    );
  }
  const [cert, key, clientCa] = await Promise.all([
    readFile(tlsCertFile),
    readFile(tlsPrivateKeyFile),
    clientCaFile ? readFile(clientCaFile) : undefined,
  ]);
  return { cert, key, clientCa };
}
