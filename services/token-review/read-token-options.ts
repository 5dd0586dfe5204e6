import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FollowedFiles } from '@binnacle/backend-access';
import {
  type ClientConfiguration,
  followClientConfiguration,
  loadClientConfiguration,
} from '@binnacle/client';
import { type FlagValues, readFlagFile } from '@binnacle/flags';
import type { Storage } from '@binnacle/storage-contract';
import { oidcSettingsFrom } from './authenticators/oidc/oidc-settings.ts';
import { parseTokenFile } from './authenticators/static-token-file.ts';
import { readVerificationKeys, replaceKeys } from './authenticators/verification-keys.ts';
import { tokenFlags } from './config.ts';
import type { TokenReviewOptions } from './token-review.ts';

type TokenOptions = Pick<
  TokenReviewOptions,
  | 'staticTokens'
  | 'serviceAccounts'
  | 'oidc'
  | 'webhook'
  | 'bootstrapTokens'
  | 'audiences'
  | 'settingsDigest'
  | 'tokenSuccessCacheTtl'
  | 'tokenFailureCacheTtl'
>;

/**
 * Reads and follows the files that the token flags name, and gives the options with the storage that tokens are looked up in. Rejects with
 * a FlagError that names the flag and the file or line, never a token.
 */
export async function readTokenOptions(
  flags: FlagValues<typeof tokenFlags>,
  files?: FollowedFiles,
): Promise<(storage: Storage) => TokenOptions> {
  const issuer = flags.serviceAccountIssuer;
  const readText = (file: string) => readFile(file, 'utf8');
  const readPems = () =>
    Promise.all(
      flags.serviceAccountKeyFile.map(file => readFlagFile('serviceAccountKeyFile', file, readText)),
    );
  const pems = await readPems();
  const oidc = await oidcSettingsFrom(flags, files);
  const [firstKeyFile] = flags.serviceAccountKeyFile;
  const keys =
    firstKeyFile === undefined
      ? undefined
      : await readFlagFile('serviceAccountKeyFile', firstKeyFile, () => readVerificationKeys(pems));
  const followedPems =
    keys &&
    files?.follow('--service-account-key-file', {
      first: pems,
      async read() {
        const found = await readPems();
        await replaceKeys(keys, found);
        return found;
      },
    });
  const { tokenAuthFile, authenticationTokenWebhookConfigFile: webhookFile } = flags;
  const readTokens = async (file: string) => parseTokenFile(await readText(file));
  const readUsers = (file: string) => () => readFlagFile('tokenAuthFile', file, readTokens);
  const staticTokens =
    tokenAuthFile && (await followed('--token-auth-file', readUsers(tokenAuthFile), files));
  const webhook = webhookFile
    ? await followClientConfiguration(
        '--authentication-token-webhook-config-file',
        () => readFlagFile('authenticationTokenWebhookConfigFile', webhookFile, loadClientConfiguration),
        files,
      )
    : undefined;
  const digestNow = () => createDigest(flags, { pems: followedPems?.() ?? pems, oidc, webhook });
  let settingsDigest = digestNow();
  files?.onChange(() => {
    settingsDigest = digestNow();
  });
  return storage => ({
    ...(staticTokens && { staticTokens }),
    ...(keys && {
      serviceAccounts: { keys, issuer, lookup: flags.serviceAccountLookup, storage },
    }),
    ...(oidc && { oidc }),
    ...(webhook && {
      webhook: {
        configuration: webhook,
        version: flags.authenticationTokenWebhookVersion,
        cacheTtl: flags.authenticationTokenWebhookCacheTtl,
      },
    }),
    ...(flags.enableBootstrapTokenAuth && { bootstrapTokens: { storage } }),
    audiences: flags.apiAudiences.length > 0 ? flags.apiAudiences : [issuer],
    settingsDigest: () => settingsDigest,
    tokenSuccessCacheTtl: flags.tokenSuccessCacheTtl,
    tokenFailureCacheTtl: flags.tokenFailureCacheTtl,
  });
}

/** Reads a value, and follows it; the function gives the latest. */
async function followed<T>(
  name: string,
  read: () => Promise<T>,
  files: FollowedFiles | undefined,
): Promise<() => T> {
  const first = await read();
  return files?.follow(name, { first, read }) ?? (() => first);
}

/** The contents of the files that the token flags name. */
interface TokenFiles {
  readonly pems: readonly string[];
  readonly oidc: unknown;
  readonly webhook: ClientConfiguration | undefined;
}

/** Differs where a flag of tokens differs, or what its file holds; a pod's own flags, such as its port, do not count. */
function createDigest(flags: FlagValues<typeof tokenFlags>, files: TokenFiles): string {
  const own = Object.keys(tokenFlags).map(name => flags[name as keyof typeof tokenFlags]); // Its own keys.
  return createHash('sha256')
    .update(JSON.stringify([own, files]))
    .digest('base64url');
}
