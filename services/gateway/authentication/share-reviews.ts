import type { CallContext, TokenReviewResponse, TokenReviewService } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';

/** Finds out whom a token belongs to. */
export type ReviewToken = (
  token: string,
  call: Pick<CallContext, 'traceparent'>,
) => Promise<TokenReviewResponse>;

const timeoutMs = 10_000;

/**
 * Asks token-review about each token once at a time: what comes with the same token meanwhile waits for that answer. A client
 * sends many requests with one token, and when a gateway has gone away, all its clients come at once.
 */
export function shareReviews(tokenReview: TokenReviewService): ReviewToken {
  const asked = new Map<string, Promise<TokenReviewResponse>>();
  const ask: ReviewToken = async (token, { traceparent }) => {
    // No caller's: another one that waits may have more time, or stay connected for longer.
    using call = createCallContext({ timeoutMs, traceparent });
    return await tokenReview.review({ token, audiences: [] }, call);
  };
  return (token, call) => {
    const same = asked.get(token);
    if (same !== undefined) return same;
    const review = ask(token, call).finally(() => asked.delete(token));
    asked.set(token, review);
    return review;
  };
}
