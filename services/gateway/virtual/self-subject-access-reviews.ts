import type { SelfSubjectAccessReview } from '@binnacle/api-types/authorization/v1';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { type AccessReviewServices, accessStatus, attributeErrors } from './access-review.ts';
import { answered, assertNoErrors, metadataErrors, reviewOperation } from './operation-object.ts';

/** POST on `selfsubjectaccessreviews`: whether the caller may do something. */
export async function reviewOwnAccess(
  request: ApiRequest,
  services: AccessReviewServices,
): Promise<ApiResult> {
  const object: SelfSubjectAccessReview = await reviewOperation(request, services);
  const { spec = {} } = object;
  assertNoErrors(request, [...attributeErrors(spec), ...metadataErrors(object)]);
  return answered(object, await accessStatus({ user: request.user, spec, call: request.call }, services));
}
