import type { LocalSubjectAccessReview } from '@binnacle/api-types/authorization/v1';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import {
  type AccessReviewServices,
  accessStatus,
  attributeErrors,
  namespaceErrors,
  subjectErrors,
  userFromSpec,
} from './access-review.ts';
import { answered, assertNoErrors, metadataErrors, reviewOperation } from './operation-object.ts';

/** POST on a namespace's `localsubjectaccessreviews`: whether a subject may do something in that namespace. */
export async function reviewLocalSubjectAccess(
  request: ApiRequest,
  services: AccessReviewServices,
): Promise<ApiResult> {
  const object: LocalSubjectAccessReview = await reviewOperation(request, services);
  const { spec = {} } = object;
  assertNoErrors(request, [
    ...attributeErrors(spec),
    ...subjectErrors(spec),
    ...metadataErrors(object),
    ...namespaceErrors(spec, request.info.namespace),
  ]);
  return answered(
    object,
    await accessStatus({ user: userFromSpec(spec), spec, call: request.call }, services),
  );
}
