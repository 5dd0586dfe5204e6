import type {
  CallContext,
  TokenReviewRequest,
  TokenReviewResponse,
  TokenReviewService,
  UserInfo,
} from '@binnacle/proto';
import { StatusError, serviceUnavailable, unauthorized } from '@binnacle/status-errors';
import type { User } from '../pipeline/api-request.ts';
import { authenticated } from './users.ts';

/** The token of an `Authorization: Bearer` header; undefined for other schemes and for none. */
export function bearerTokenOf(header: string | undefined): string | undefined {
  const token = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  return token;
}

/**
 * The user whom token-review knows a token to belong to. Throws Unauthorized for a token that nobody knows, and
 * ServiceUnavailable when nobody can be asked.
 */
export async function bearerTokenUser(
  token: string,
  tokenReview: TokenReviewService,
  call: CallContext,
): Promise<User> {
  const review = await askTokenReview({ token, audiences: [] }, tokenReview, call);
  if (!review.authenticated || review.user === undefined) throw unauthorized();
  return authenticated(userFromInfo(review.user));
}

/** Asks token-review; throws ServiceUnavailable when it does not answer. */
export async function askTokenReview(
  question: TokenReviewRequest,
  tokenReview: TokenReviewService,
  call: CallContext,
): Promise<TokenReviewResponse> {
  try {
    return await tokenReview.review(question, call);
  } catch (error) {
    const message = 'the bearer token cannot be checked at the moment';
    const refused = serviceUnavailable(message);
    throw new StatusError({
      reason: refused.reason,
      code: refused.code,
      message,
      details: { retryAfterSeconds: 1 },
      cause: error,
    });
  }
}

/** The user whom an answer of token-review names. */
export function userFromInfo(info: UserInfo): User {
  const extra = Object.fromEntries(Object.entries(info.extra).map(([key, list]) => [key, list.values]));
  return { username: info.username, uid: info.uid, groups: info.groups, extra };
}
