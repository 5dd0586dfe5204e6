import type { ApiRequest, ApiResult } from '../pipeline/api-request.ts';
import { answered, decodeOperation } from './operation-object.ts';
import { userInfoOf } from './user-info.ts';

/** POST on `selfsubjectreviews`: who the server takes the caller for (spec 2, "SelfSubjectReview"). */
export async function reviewSelf(request: ApiRequest): Promise<ApiResult> {
  const object = await decodeOperation(request);
  return answered(object, { userInfo: userInfoOf(request.user) });
}
