import { type ClientConfiguration, createRemoteWebhook } from '@binnacle/client';
import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { FailureLog, type Logger, type Metrics } from '@binnacle/telemetry';
import type { Authenticator, Decision } from '../authenticator.ts';
import {
  createTokenReview,
  parseWebhookAnswer,
  type TokenReviewVersion,
  type WebhookAnswer,
} from './token-review-message.ts';

/** Settings of the token webhook. */
export interface TokenWebhookSettings {
  readonly configuration: ClientConfiguration;
  readonly version: TokenReviewVersion;
  /** Milliseconds for which an accepted token is cached; a refused one for 10 seconds at most. */
  readonly cacheTtl: number;
}

/** Options of the webhook authenticator. */
interface WebhookAuthenticatorOptions extends TokenWebhookSettings {
  /** Audiences of tokens for which the webhook names none. */
  readonly apiAudiences: readonly string[];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: () => number;
  /** Milliseconds before a failed call is retried; default 500. */
  readonly backoffMs?: number;
}

/** The webhook as an authenticator, with its health. */
interface WebhookAuthenticator extends Authenticator, AsyncDisposable {
  /** Throws the error of the last call, if it failed. */
  check(): void;
}

const longestFailureTtlMs = 10_000;
const timeoutMs = 10_000;
/** Milliseconds before the deadline of a call that are reserved for returning the answer to its caller. */
const marginMs = 250;
const retry = { attempts: 5, backoffMs: 500 };

/**
 * Creates the authenticator that sends tokens to a webhook as TokenReviews (spec 2, "TokenReview"). A webhook that fails, or gives an
 * unusable answer, leaves a token undecided: other authenticators still decide, and nothing is cached.
 */
export function createWebhookAuthenticator(options: WebhookAuthenticatorOptions): WebhookAuthenticator {
  const { configuration, version, cacheTtl, clock, backoffMs = retry.backoffMs } = options;
  const remote = createRemoteWebhook({
    configuration,
    userAgent: 'token-review',
    timeoutMs,
    retry: { ...retry, backoffMs },
    clock,
  });
  const watched = watchOutcomes(options);

  async function ask(question: Question, call: CallContext): Promise<Decision> {
    const left = Math.max(1, Math.min(timeoutMs, Math.floor(millisecondsUntil(call.deadline)) - marginMs));
    const late = AbortSignal.timeout(left);
    const signal = AbortSignal.any([call.signal, late]);
    const answer = await remote
      .post<unknown>(createTokenReview(question, version), { signal, trace: call.trace })
      .catch(thrown => {
        throw late.aborted ? new Error('no answer before the deadline of the call') : thrown;
      });
    return decisionFrom(parseWebhookAnswer(answer, version), question.audiences, options.apiAudiences);
  }

  return {
    name: 'webhook',
    cacheTtl: { success: cacheTtl, failure: Math.min(cacheTtl, longestFailureTtlMs) },
    authenticate: (token, audiences, call) => watched.note(() => ask({ token, audiences }, call)),
    check: watched.check,
    [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose](),
  };
}

interface Question {
  readonly token: string;
  readonly audiences: readonly string[];
}

/**
 * Creates the decision: a token is valid for the requested audiences that the webhook names, or that the API server has where it
 * names none.
 */
function decisionFrom(
  answer: WebhookAnswer,
  wanted: readonly string[],
  apiAudiences: readonly string[],
): Decision {
  if (!answer.authenticated) return { kind: 'rejected', error: answer.error || 'invalid bearer token' };
  const { user } = answer;
  const named = answer.audiences.length > 0 ? answer.audiences : apiAudiences;
  if (wanted.length === 0) return { kind: 'authenticated', user, audiences: named };
  const audiences = wanted.filter(audience => named.includes(audience));
  if (audiences.length === 0) return { kind: 'rejected', error: 'the token is for other audiences' };
  return { kind: 'authenticated', user, audiences };
}

/** Measures and logs the outcomes of calls, and remembers whether the last one failed. */
function watchOutcomes({ log, metrics }: WebhookAuthenticatorOptions) {
  const durations = metrics.histogram({
    name: 'binnacle_token_webhook_duration_seconds',
    help: 'Duration of calls of the token webhook with their retries, by outcome: authenticated, rejected, or error.',
    labelNames: ['outcome'],
  });
  const failures = new FailureLog({ log, failed: 'token webhook failed', worked: 'token webhook answers' });
  let failure: { readonly thrown: unknown } | undefined;
  return {
    check(): void {
      if (failure) throw failure.thrown;
    },
    async note(ask: () => Promise<Decision>): Promise<Decision> {
      const started = performance.now();
      const ended = (outcome: string) =>
        durations.labels(outcome).observe((performance.now() - started) / 1000);
      try {
        const decision = await ask();
        ended(decision.kind);
        failure = undefined;
        failures.worked();
        return decision;
      } catch (thrown) {
        ended('error');
        failure = { thrown };
        failures.failed(thrown);
        return { kind: 'undecided' };
      }
    },
  };
}
