import { BackendRefusal } from '@binnacle/backend-access';
import type { FlagValues } from '@binnacle/flags';
import type { TokenReviewService, UserInfo } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import type { Logger, Metrics } from '@binnacle/telemetry';
import type { Authenticator, CacheTtl } from './authenticators/authenticator.ts';
import { createBootstrapTokenAuthenticator } from './authenticators/bootstrap-token.ts';
import type { OidcSettings } from './authenticators/oidc/oidc-settings.ts';
import { type OpenOidc, openOidc } from './authenticators/oidc/open-oidc.ts';
import { createServiceAccountAuthenticator } from './authenticators/service-account.ts';
import { createStaticTokenAuthenticator } from './authenticators/static-token-file.ts';
import { createTokenAgeMetrics } from './authenticators/token-age-metrics.ts';
import type { VerificationKeys } from './authenticators/verification-keys.ts';
import { createWebhookAuthenticator, type TokenWebhookSettings } from './authenticators/webhook/webhook.ts';
import type { tokenFlags } from './config.ts';
import { createCacheMetrics } from './decision-cache/cache-metrics.ts';
import { DecisionCache } from './decision-cache/decision-cache.ts';
import { createDecisionKeys, type DecisionKeys } from './decision-cache/decision-keys.ts';
import type { RedisAccess } from './decision-cache/redis-access.ts';
import { createRedisCache, type SharedCache } from './decision-cache/shared-cache.ts';
import { type ReviewOptions, review } from './handlers/review.ts';

/** Options of token review. */
export interface TokenReviewOptions
  extends Pick<FlagValues<typeof tokenFlags>, 'tokenSuccessCacheTtl' | 'tokenFailureCacheTtl'> {
  /** Gives the users that the static token file has at the moment, the same object while they are the same; undefined without one. */
  readonly staticTokens?: () => ReadonlyMap<string, UserInfo>;
  /** Settings of signed service-account tokens; undefined: none are accepted. */
  readonly serviceAccounts?: {
    readonly keys: VerificationKeys;
    readonly issuer: string;
    readonly lookup: boolean;
    readonly storage: Storage;
  };
  /** The OpenID provider whose id_tokens are accepted; undefined without one. */
  readonly oidc?: OidcSettings;
  /** The token webhook; undefined without one. */
  readonly webhook?: TokenWebhookSettings;
  /** Storage of the Secrets of bootstrap tokens; undefined: none are accepted. */
  readonly bootstrapTokens?: { readonly storage: Storage };
  readonly audiences: readonly string[];
  /** Gives the digest of the settings that decisions depend on: pods whose digests differ share no decisions. Default: empty. */
  readonly settingsDigest?: () => string;
  /** Access to the Redis in which pods share decisions; undefined: each pod has only its own. */
  readonly redis?: RedisAccess;
  /** Gives the secret of the pods of this service, from which the keys of shared decisions are derived, as it is at the moment. */
  readonly secret: () => Buffer;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: () => number;
}

const maxLocalDecisions = 10_000;

/** The service in this process: the methods that gateways call, and its state. */
export interface LocalTokenReview extends TokenReviewService, AsyncDisposable {
  /** Returns the current refusal of Redis; undefined when Redis is up or unavailable, or not configured. */
  redisRefusal(): Promise<BackendRefusal | undefined>;
  /** Asserts that decisions are shared through Redis, where that is configured. */
  assertSharing(): void;
  /** Asserts that the keys of the OpenID provider were fetched at least once: before that, none of its tokens is accepted. */
  assertOidcKeys(): void;
  /** Throws the error of the last call of the token webhook, if it failed. */
  checkWebhook(): void;
}

/** Creates token review. */
export function createTokenReview(options: TokenReviewOptions): LocalTokenReview {
  const { clock, metrics, audiences, secret, settingsDigest = () => '' } = options;
  const keys = createDecisionKeys({ secret, settingsDigest });
  const shared = options.redis ? openSharedCache(options.redis, { ...options, keys }) : undefined;
  const oidc = options.oidc && openOidc(options.oidc, { ...options, cacheTtl: readCacheTtl(options) });
  const decisions = new DecisionCache({
    shared,
    digestKey: () => keys().digest,
    maxEntries: maxLocalDecisions,
    clock,
    metrics: createCacheMetrics(metrics),
  });
  const webhook =
    options.webhook &&
    createWebhookAuthenticator({ ...options, ...options.webhook, apiAudiences: audiences });
  const handlerOptions = {
    // The webhook comes last: it reviews only tokens that no other authenticator accepts.
    authenticators: [...createAuthenticators(options, oidc), ...(webhook ? [webhook] : [])],
    decisions,
    audiences,
    clock,
    observe: reviewMetrics(metrics),
  };
  return {
    review: (request, call) => review(request, call, handlerOptions),
    redisRefusal: async () => await shared?.refusal(),
    assertSharing() {
      if (shared?.isUp === false) throw new Error('decisions are not shared: Redis is down');
    },
    assertOidcKeys: () => oidc?.assertKeys(),
    checkWebhook: () => webhook?.check(),
    async [Symbol.asyncDispose](): Promise<void> {
      await oidc?.[Symbol.asyncDispose]();
      await webhook?.[Symbol.asyncDispose]();
      await shared?.[Symbol.asyncDispose]();
    },
  };
}

function reviewMetrics(metrics: Metrics): ReviewOptions['observe'] {
  const durations = metrics.histogram({
    name: 'binnacle_token_review_duration_seconds',
    help: 'Time to decide on a token, by outcome.',
    labelNames: ['outcome'],
  });
  return (outcome, seconds) => durations.labels(outcome).observe(seconds);
}

function createAuthenticators(options: TokenReviewOptions, oidc: OpenOidc | undefined): Authenticator[] {
  const { staticTokens, serviceAccounts, bootstrapTokens, audiences: apiAudiences, clock, log } = options;
  const shared = { apiAudiences, cacheTtl: readCacheTtl(options), clock };
  const ages = createTokenAgeMetrics(options.metrics);
  return [
    ...(staticTokens ? [createStaticTokenAuthenticator({ latestUsers: staticTokens, ...shared })] : []),
    ...(bootstrapTokens ? [createBootstrapTokenAuthenticator({ ...bootstrapTokens, ...shared, log })] : []),
    ...(serviceAccounts
      ? [createServiceAccountAuthenticator({ ...serviceAccounts, ...shared, metrics: ages })]
      : []),
    ...(oidc ? [oidc.authenticator] : []),
  ];
}

function readCacheTtl(options: TokenReviewOptions): CacheTtl {
  return { success: options.tokenSuccessCacheTtl, failure: options.tokenFailureCacheTtl };
}

function openSharedCache(
  access: RedisAccess,
  options: TokenReviewOptions & { readonly keys: () => DecisionKeys },
): SharedCache {
  const { keys, log, metrics, clock } = options;
  const up = metrics.gauge({
    name: 'token_review_shared_cache_up',
    help: '1 while decisions are shared through Redis.',
    labelNames: [],
  });
  const upNow = up.labels();
  upNow.set(0);
  return createRedisCache({
    access,
    signingKey: () => keys().signing,
    clock,
    onAvailability(available, cause): void {
      upNow.set(available ? 1 : 0);
      if (available) log.info('decisions are shared through Redis');
      else if (cause instanceof BackendRefusal) log.error(cause.message, { error: cause });
      else log.warn('Redis is unreachable, decisions are not shared', cause ? { error: cause } : {});
    },
  });
}
