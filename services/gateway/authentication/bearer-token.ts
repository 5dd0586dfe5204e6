import type {
  CallContext,
  TokenReviewRequest,
  TokenReviewResponse,
  TokenReviewService,
  UserInfo,
} from '@binnacle/proto';
import { StatusError, serviceUnavailable, unauthorized } from '@binnacle/status-errors';
import type { User } from '../request/api-request.ts';
import { authenticated } from '../request/users.ts';

/** A scheme and what follows it (RFC 9110, section 11.4). */
const credentials = /^([!#$%&'*+.^_`|~0-9a-z-]+) +([^ \t].*)$/i;
const oneToken = /^\S+ *$/;
const withoutToken = /^bearer *$/i;

/**
 * The `Authorization` header among headers as they were sent; undefined without one. Throws Unauthorized for two
 * headers: servers on the way could read different ones.
 */
export function findAuthorization(rawHeaders: readonly string[]): string | undefined {
  let header: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'authorization') continue;
    if (header !== undefined) throw unauthorized();
    header = rawHeaders[at + 1];
  }
  return header;
}

/**
 * The token of an `Authorization: Bearer` header; undefined for other schemes, without the header and without a token: no
 * token means anonymous. Throws Unauthorized for a header that is malformed.
 */
export function parseBearerToken(header: string | undefined): string | undefined {
  if (header === undefined || withoutToken.test(header)) return undefined;
  const [, scheme = '', rest = ''] = credentials.exec(header) ?? [];
  if (scheme === '') throw unauthorized();
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  if (!oneToken.test(rest)) throw unauthorized();
  return rest.trimEnd();
}

/** A bearer token that token-review accepted, without the token itself. */
export interface AcceptedToken {
  readonly user: User;
  /** Annotations for the audit event of each request with the token. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Milliseconds from the call of token-review on for which no other call is needed. */
  readonly reusableMs: number;
}

/**
 * Reads an answer of token-review. Throws Unauthorized for a token that is not accepted, and ServiceUnavailable when there is no
 * answer.
 */
export async function readAcceptedToken(answer: Promise<TokenReviewResponse>): Promise<AcceptedToken> {
  const { authenticated: isKnown, user, auditAnnotations, reusableMs = 0 } = await reviewed(answer);
  if (!isKnown || user === undefined) throw unauthorized();
  return { user: authenticated(userFromInfo(user)), auditAnnotations, reusableMs };
}

/** Calls token-review; throws ServiceUnavailable when it does not answer. */
export function askTokenReview(
  question: TokenReviewRequest,
  tokenReview: TokenReviewService,
  call: CallContext,
): Promise<TokenReviewResponse> {
  return reviewed(tokenReview.review(question, call));
}

async function reviewed(answer: Promise<TokenReviewResponse>): Promise<TokenReviewResponse> {
  try {
    return await answer;
  } catch (error) {
    const message = 'the bearer token cannot be checked, try again';
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

/** The user in an answer of token-review. */
export function userFromInfo(info: UserInfo): User {
  const extra = Object.fromEntries(Object.entries(info.extra).map(([key, list]) => [key, list.values]));
  return { username: info.username, uid: info.uid, groups: info.groups, extra };
}
