import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { userInfoFromUser } from '../request/user-info.ts';
import type { ReviewServices } from '../write/engine/review.ts';
import { answered, reviewOperation } from './operation-object.ts';

/** POST on `selfsubjectreviews`: who the server takes the caller for (spec 2, "SelfSubjectReview"). */
export async function reviewSelf(request: ApiRequest, services: ReviewServices): Promise<ApiResult> {
  const object = await reviewOperation(request, services);
  return answered(object, { userInfo: userInfoFromUser(request.user) });
}
