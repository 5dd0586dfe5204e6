import { readFile } from 'node:fs/promises';
import type { FollowedFiles } from '@binnacle/backend-access';
import { followClientConfiguration, loadClientConfiguration } from '@binnacle/client';
import { FlagError, type FlagValues, readFlagFile } from '@binnacle/flags';
import type { apiFlags } from '../../settings/gateway-flags.ts';
import { parsePolicyFile } from '../abac/policy-file.ts';
import type { AuthorizerFiles } from './create-authorization.ts';

/**
 * Reads the files of authorizers, and follows the client configuration of the webhook. Throws when a mode lacks its file, and when a file
 * lacks its mode.
 */
export async function authorizerFilesFromFlags(
  flags: Pick<
    FlagValues<typeof apiFlags>,
    'authorizationMode' | 'authorizationPolicyFile' | 'authorizationWebhookConfigFile'
  >,
  files?: FollowedFiles,
): Promise<AuthorizerFiles> {
  const {
    authorizationMode: modes,
    authorizationPolicyFile: policyFile,
    authorizationWebhookConfigFile: webhookFile,
  } = flags;
  if (modes.includes('ABAC') !== Boolean(policyFile))
    throw new FlagError('--authorization-mode=ABAC and --authorization-policy-file need each other');
  if (modes.includes('Webhook') !== Boolean(webhookFile))
    throw new FlagError(
      '--authorization-mode=Webhook and --authorization-webhook-config-file need each other',
    );
  const readPolicies = async (file: string) => parsePolicyFile(await readFile(file, 'utf8'), file);
  return {
    ...(policyFile && {
      policies: await readFlagFile('authorizationPolicyFile', policyFile, readPolicies),
    }),
    ...(webhookFile && {
      webhook: await followClientConfiguration(
        '--authorization-webhook-config-file',
        () => readFlagFile('authorizationWebhookConfigFile', webhookFile, loadClientConfiguration),
        files,
      ),
    }),
  };
}
