import { createHmac, generateKeySync } from 'node:crypto';
import { ExpiringCache } from '@binnacle/event-loop';
import type { CallContext, TokenReviewService } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { type AcceptedToken, readAcceptedToken } from './bearer-token.ts';

/** Options of the cache of accepted tokens. */
interface AcceptedTokensOptions {
  readonly tokenReview: TokenReviewService;
  /** The most tokens that are cached; default 4,096. */
  readonly maxEntries?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const reviewTimeoutMs = 10_000;
/** Longest time for which an acceptance is cached. */
const longestAgeMs = 2_000;

/**
 * Cache of the bearer tokens that token-review accepted for the audiences of the API server.
 *
 * An acceptance is cached for as long as token-review itself relies on it, at most 2 s, counted from the call of token-review: the
 * token of a deleted account is refused no later than token-review refuses it, one that its files no longer allow at most 2 s later.
 * Refusals and failures are not cached. The keys are digests with a key of this process, so that the cache holds no tokens. Requests
 * with the same token share a call that is under way: a client sends many, and when a gateway stops, all its clients reconnect at once.
 */
export class AcceptedTokens {
  readonly #tokenReview: TokenReviewService;
  readonly #clock: () => number;
  readonly #digestKey = generateKeySync('hmac', { length: 256 });
  readonly #accepted: ExpiringCache<AcceptedToken>;
  readonly #underWay = new Map<string, Promise<AcceptedToken>>();

  constructor({ tokenReview, maxEntries = 4_096, clock }: AcceptedTokensOptions) {
    this.#tokenReview = tokenReview;
    this.#clock = clock;
    this.#accepted = new ExpiringCache({ maxEntries, clock });
  }

  /**
   * Returns a cached acceptance, or the promise of one by token-review, which rejects with Unauthorized for a token that is not
   * accepted and with ServiceUnavailable when there is no answer.
   */
  find(token: string, call: Pick<CallContext, 'trace'>): AcceptedToken | Promise<AcceptedToken> {
    const digest = createHmac('sha256', this.#digestKey).update(token).digest('base64');
    const found = this.#accepted.get(digest) ?? this.#underWay.get(digest);
    if (found !== undefined) return found;
    const review = this.#review(token, digest, call).finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, review);
    return review;
  }

  async #review(
    token: string,
    digest: string,
    { trace }: Pick<CallContext, 'trace'>,
  ): Promise<AcceptedToken> {
    const calledAt = this.#clock();
    // Not the call of one request: others that wait may have more time, or stay connected for longer.
    using call = createCallContext({ timeoutMs: reviewTimeoutMs, trace });
    const accepted = await readAcceptedToken(this.#tokenReview.review({ token, audiences: [] }, call));
    const elapsedMs = this.#clock() - calledAt;
    const ageMs = Math.min(accepted.reusableMs, longestAgeMs);
    // A clock that was set back must not prolong the time.
    if (elapsedMs >= 0) this.#accepted.set(digest, accepted, ageMs - elapsedMs);
    return accepted;
  }
}
