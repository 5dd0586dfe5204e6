import { readFile } from 'node:fs/promises';
import { loadClientConfiguration } from '@binnacle/client';
import type { FlagValues } from '@binnacle/service-kit';
import { parsePolicyFile } from './authorization/abac/policy-file.ts';
import type { AuthorizerFiles } from './authorization/modes/create-authorization.ts';
import type { ServingTls } from './server/create-server.ts';
import type { apiFlags, gatewayFlags } from './settings/gateway-flags.ts';
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

/** Reads the files of authorizers. Throws when a mode lacks its file, and when a file lacks its mode. */
export async function authorizerFilesFromFlags(
  flags: Pick<
    FlagValues<typeof apiFlags>,
    'authorizationMode' | 'authorizationPolicyFile' | 'authorizationWebhookConfigFile'
  >,
): Promise<AuthorizerFiles> {
  const {
    authorizationMode: modes,
    authorizationPolicyFile: policyFile,
    authorizationWebhookConfigFile: webhookFile,
  } = flags;
  if (modes.includes('ABAC') !== Boolean(policyFile))
    throw new Error('--authorization-mode=ABAC and --authorization-policy-file need each other');
  if (modes.includes('Webhook') !== Boolean(webhookFile))
    throw new Error('--authorization-mode=Webhook and --authorization-webhook-config-file need each other');
  return {
    ...(policyFile && { policies: parsePolicyFile(await readFile(policyFile, 'utf8'), policyFile) }),
    ...(webhookFile && { webhook: loadClientConfiguration(webhookFile) }),
  };
}
