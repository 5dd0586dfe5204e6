import type { TokenReview } from '@binnacle/api-types/authentication/v1';
import type { TokenReviewService } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import { badRequest } from '@binnacle/status-errors';
import { askTokenReview, userFromInfo } from '../authentication/bearer-token.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { userInfoFromUser } from '../request/user-info.ts';
import { authenticated } from '../request/users.ts';
import type { ReviewServices } from '../write/engine/review.ts';
import { answered, reviewOperation } from './operation-object.ts';

const timeoutMs = 10_000;

/**
 * POST on `tokenreviews`: whose a bearer token is. For an invalid token it answers 201 with the reason in
 * status.error. Throws ServiceUnavailable when token-review cannot be reached.
 */
export async function reviewToken(
  request: ApiRequest,
  services: ReviewServices & { readonly tokenReview: TokenReviewService },
): Promise<ApiResult> {
  const object: TokenReview = await reviewOperation(request, services);
  const { token = '', audiences = [] } = object.spec ?? {};
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  using call = createCallContext({ timeoutMs, parent: request.call });
  const question = { token, audiences };
  const review = await askTokenReview(question, services.tokenReview, call);
  for (const [key, value] of Object.entries(review.auditAnnotations))
    request.notes.annotations.set(key, value);
  if (!review.authenticated || review.user === undefined)
    return answered(object, { user: {}, error: review.error || 'invalid bearer token' });
  const user = userInfoFromUser(authenticated(userFromInfo(review.user)));
  return answered(object, {
    authenticated: true,
    user,
    ...(review.audiences.length === 0 ? {} : { audiences: [...review.audiences] }),
  });
}
