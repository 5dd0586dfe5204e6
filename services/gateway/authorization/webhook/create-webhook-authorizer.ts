import { createHash } from 'node:crypto';
import type { RemoteWebhook } from '@binnacle/client';
import { ExpiringCache, unlessAborted } from '@binnacle/event-loop';
import type { TraceContext } from '@binnacle/proto';
import { internalError, serviceUnavailable } from '@binnacle/status-errors';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { type Authorizer, type Decision, noOpinion } from '../authorizer.ts';
import { decisionFromAnswer, type ReviewVersion, reviewBody, reviewSpec } from './access-review.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

/** Options of the authorization webhook. */
interface WebhookAuthorizerOptions {
  readonly webhook: Pick<RemoteWebhook, 'post'>;
  readonly version: ReviewVersion;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly metrics: WebhookMetrics;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The authorizer, with the state of its webhook. */
export interface WebhookAuthorizer extends Authorizer {
  /** Throws when the last call failed. */
  assertWorks(): void;
}

const maxEntries = 8192;
/** Most characters of a review whose decision is cached; longer ones are sent each time. */
const longestCached = 10_000;
/** Most different reviews under way; further ones fail at once. */
const maxUnderWay = 1000;

/**
 * Creates the authorizer that asks a webhook (`--authorization-mode=Webhook`). Decisions are cached; equal reviews
 * that are under way share a call, which goes on when the request that began it has ended. A webhook that fails has no
 * opinion.
 */
export function createWebhookAuthorizer(options: WebhookAuthorizerOptions): WebhookAuthorizer {
  const { metrics } = options;
  const cache = new ExpiringCache<Decision>({ clock: options.clock, maxEntries });
  const underWay = new Map<string, Promise<Decision>>();
  const caller = createCaller(options);
  return {
    authorize(user, access, call) {
      const spec = reviewSpec(user, access);
      const review = JSON.stringify(spec);
      const key = reviewKey(review);
      const kept = cache.get(key);
      if (kept !== undefined) {
        metrics.reviewed('cache');
        return kept;
      }
      const shared = underWay.get(key);
      metrics.reviewed(shared === undefined ? 'call' : 'shared');
      if (shared !== undefined) return unlessAborted(shared, call.signal);
      if (underWay.size >= maxUnderWay)
        throw serviceUnavailable('the authorization webhook is busy, try again');
      const reviewing = caller.review(reviewBody(spec, options.version), call.trace).then(decision => {
        underWay.delete(key);
        const ttlMs = decision.verdict === 'allowed' ? options.authorizedTtlMs : options.unauthorizedTtlMs;
        if (decision.error === undefined && review.length <= longestCached) cache.set(key, decision, ttlMs);
        return decision;
      });
      underWay.set(key, reviewing);
      return unlessAborted(reviewing, call.signal);
    },
    rulesFor: () => ({
      rules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    }),
    boundRules: () => [],
    assertWorks: caller.assertWorks,
  };
}

interface WebhookCaller {
  /** The webhook's decision; a failure is a decision too, with its error. */
  review(body: object, trace: TraceContext | undefined): Promise<Decision>;
  assertWorks(): void;
}

function createCaller({ webhook, version, metrics, logger }: WebhookAuthorizerOptions): WebhookCaller {
  const failures = new FailureLog({
    log: logger,
    failed: 'the authorization webhook fails',
    worked: 'the authorization webhook works again',
  });
  let failure: unknown;
  return {
    async review(body, trace) {
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      try {
        const decision = decisionFromAnswer(await webhook.post(body, { trace }), version);
        failure = undefined;
        failures.worked();
        metrics.called(decision.verdict, seconds());
        return decision;
      } catch (error) {
        failure = error;
        failures.failed(error);
        metrics.called('error', seconds());
        return { ...noOpinion, error: internalError('the authorization webhook failed') };
      }
    },
    assertWorks() {
      if (failure !== undefined) throw new Error('the last call failed', { cause: failure });
    },
  };
}

/** A cache key of bounded size for a review. */
export function reviewKey(review: string): string {
  return createHash('sha256').update(review).digest('base64');
}
