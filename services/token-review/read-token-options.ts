import { readFile } from 'node:fs/promises';
import { loadClientConfiguration } from '@binnacle/client';
import type { FlagValues } from '@binnacle/flags';
import type { Storage } from '@binnacle/storage-contract';
import { oidcSettingsFrom } from './authenticators/oidc/oidc-settings.ts';
import { parseTokenFile } from './authenticators/static-token-file.ts';
import { readVerificationKeys } from './authenticators/verification-keys.ts';
import type { tokenFlags } from './config.ts';
import type { TokenReviewOptions } from './token-review.ts';

type TokenOptions = Pick<
  TokenReviewOptions,
  | 'staticTokens'
  | 'serviceAccounts'
  | 'oidc'
  | 'webhook'
  | 'bootstrapTokens'
  | 'audiences'
  | 'tokenSuccessCacheTtl'
  | 'tokenFailureCacheTtl'
>;

/** Reads the files that the token flags name. Throws an Error that names the file or line, never a token. */
export async function readTokenOptions(
  flags: FlagValues<typeof tokenFlags>,
  storage: Storage,
): Promise<TokenOptions> {
  const issuer = flags.serviceAccountIssuer;
  const pems = await Promise.all(flags.serviceAccountKeyFile.map(file => readFile(file, 'utf8')));
  const oidc = await oidcSettingsFrom(flags);
  return {
    ...(flags.tokenAuthFile && { staticTokens: parseTokenFile(await readFile(flags.tokenAuthFile, 'utf8')) }),
    ...(pems.length > 0 && {
      serviceAccounts: {
        keys: await readVerificationKeys(pems),
        issuer,
        lookup: flags.serviceAccountLookup,
        storage,
      },
    }),
    ...(oidc && { oidc }),
    ...(flags.authenticationTokenWebhookConfigFile && {
      webhook: {
        configuration: loadClientConfiguration(flags.authenticationTokenWebhookConfigFile),
        version: flags.authenticationTokenWebhookVersion,
        cacheTtl: flags.authenticationTokenWebhookCacheTtl,
      },
    }),
    ...(flags.enableBootstrapTokenAuth && { bootstrapTokens: { storage } }),
    audiences: flags.apiAudiences.length > 0 ? flags.apiAudiences : [issuer],
    tokenSuccessCacheTtl: flags.tokenSuccessCacheTtl,
    tokenFailureCacheTtl: flags.tokenFailureCacheTtl,
  };
}
