import { readFile } from 'node:fs/promises';
import { loadClientConfiguration } from '@binnacle/client';
import type { FlagValues } from '@binnacle/flags';
import type { apiFlags } from '../../settings/gateway-flags.ts';
import { parsePolicyFile } from '../abac/policy-file.ts';
import type { AuthorizerFiles } from './create-authorization.ts';

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
