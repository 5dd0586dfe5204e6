import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { userInfoOf } from '../request/user-info.ts';
import { answered, decodeOperation } from './operation-object.ts';

/** POST on `selfsubjectreviews`: who the server takes the caller for (spec 2, "SelfSubjectReview"). */
export async function reviewSelf(request: ApiRequest): Promise<ApiResult> {
  const object = await decodeOperation(request);
  return answered(object, { userInfo: userInfoOf(request.user) });
}
