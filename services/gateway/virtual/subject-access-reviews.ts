import type { SubjectAccessReview } from '@binnacle/api-types/authorization/v1';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import {
  type AccessReviewServices,
  accessStatus,
  attributeErrors,
  subjectErrors,
  userFromSpec,
} from './access-review.ts';
import { answered, assertNoErrors, metadataErrors, reviewOperation } from './operation-object.ts';

/** POST on `subjectaccessreviews`: whether a subject may do something. */
export async function reviewSubjectAccess(
  request: ApiRequest,
  services: AccessReviewServices,
): Promise<ApiResult> {
  const object: SubjectAccessReview = await reviewOperation(request, services);
  const { spec = {} } = object;
  assertNoErrors(request, [...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(object)]);
  return answered(
    object,
    await accessStatus({ user: userFromSpec(spec), spec, call: request.call }, services),
  );
}
