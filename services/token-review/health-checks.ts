import { createCallContext } from '@binnacle/rpc';
import type { Health } from '@binnacle/service-kit';
import { type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import type { LocalTokenReview, TokenReviewOptions } from './token-review.ts';

/** The sources of the checks. */
interface HealthSources {
  readonly tokenReview: LocalTokenReview;
  /** The options of the service: there is a check for each part that it has. */
  readonly options: Pick<
    TokenReviewOptions,
    'redis' | 'oidc' | 'webhook' | 'serviceAccounts' | 'bootstrapTokens'
  >;
  /** Storage in another process; undefined: storage is in this process, which has a check of its own for it. */
  readonly remoteStorage?: Pick<Storage, 'get'>;
}

/** Storage must answer within this time for the service to count as ready. */
const storageCheckMs = 1500;

/** Adds the checks `storage`, `redis`, `shared-decisions`, `oidc` and `token-webhook` to the health of a process, as far as it works with these. */
export function registerHealthChecks(health: Health, sources: HealthSources): void {
  const { tokenReview, options, remoteStorage } = sources;
  if (remoteStorage && (options.serviceAccounts?.lookup || options.bootstrapTokens))
    health.add('storage', async signal => {
      using call = createCallContext({ timeoutMs: storageCheckMs, signal });
      // Any read will do: whether the answer has a record does not matter.
      await remoteStorage.get(storageKeyFrom('/core/namespaces//default'), call);
    });
  // Redis that is away costs shared decisions alone; Redis that refuses this service is a configuration to repair.
  if (options.redis) {
    health.add('redis', async () => {
      const refusal = await tokenReview.redisRefusal();
      if (refusal) throw refusal;
    });
    health.add('shared-decisions', () => tokenReview.assertSharing(), { informative: true });
  }
  // A provider that is away costs its own tokens alone, and those of others need this pod: the check counts for nothing else.
  if (options.oidc) health.add('oidc', () => tokenReview.assertOidcKeys(), { informative: true });
  // A webhook that is down costs the tokens that only it knows.
  if (options.webhook) health.add('token-webhook', () => tokenReview.checkWebhook(), { informative: true });
}
