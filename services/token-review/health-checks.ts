import { createCallContext } from '@binnacle/rpc';
import type { Health } from '@binnacle/service-kit';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import type { LocalTokenReview, TokenReviewOptions } from './token-review.ts';

/** The sources of the checks. */
interface HealthSources {
  readonly tokenReview: LocalTokenReview;
  /** Options of the service, which has a check for each of its parts. */
  readonly options: Pick<
    TokenReviewOptions,
    'redis' | 'oidc' | 'webhook' | 'serviceAccounts' | 'bootstrapTokens'
  >;
  /** Storage in another process; undefined: storage is in this process, with a check of its own. */
  readonly remoteStorage?: Pick<Storage, 'get'>;
}

/** Milliseconds within which storage must answer for the service to be ready. */
const storageCheckMs = 1500;

/**
 * Adds the checks `storage`, `redis`, `shared-decisions`, `oidc` and `token-webhook` to the health of a process, as far as it uses
 * these.
 */
export function registerHealthChecks(health: Health, sources: HealthSources): void {
  const { tokenReview, options, remoteStorage } = sources;
  if (remoteStorage && (options.serviceAccounts?.lookup || options.bootstrapTokens))
    health.add('storage', async signal => {
      using call = createCallContext({ timeoutMs: storageCheckMs, signal });
      // Any read serves as the check, with or without a record.
      await remoteStorage.get(storageKeyFrom('/core/namespaces//default'), call);
    });
  // An unavailable Redis only costs shared decisions; a refusal by Redis is a configuration error.
  if (options.redis) {
    health.add('redis', async () => {
      const refusal = await tokenReview.redisRefusal();
      if (refusal) throw refusal;
    });
    health.add('shared-decisions', () => tokenReview.assertSharing(), { informative: true });
  }
  // An unavailable provider affects only its own tokens, and other tokens need this pod, so the check is informative.
  if (options.oidc) health.add('oidc', () => tokenReview.assertOidcKeys(), { informative: true });
  // An unavailable webhook affects only its own tokens.
  if (options.webhook) health.add('token-webhook', () => tokenReview.checkWebhook(), { informative: true });
}
