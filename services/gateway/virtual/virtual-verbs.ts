import type { ResourceVerb } from '../pipeline/api-request.ts';
import { reviewLocalSubjectAccess } from './local-subject-access-reviews.ts';
import { reviewOwnAccess } from './self-subject-access-reviews.ts';
import { reviewSelf } from './self-subject-reviews.ts';
import { reviewOwnRules } from './self-subject-rules-reviews.ts';
import { reviewSubjectAccess } from './subject-access-reviews.ts';
import { reviewToken } from './token-reviews.ts';

/** What a POST does on the resources that are operations, by `group/resource`. */
export const virtualVerbs: ReadonlyMap<string, ResourceVerb> = new Map<string, ResourceVerb>([
  ['authentication.cluster.io/selfsubjectreviews', reviewSelf],
  ['authentication.cluster.io/tokenreviews', reviewToken],
  ['authorization.cluster.io/localsubjectaccessreviews', reviewLocalSubjectAccess],
  ['authorization.cluster.io/selfsubjectaccessreviews', reviewOwnAccess],
  ['authorization.cluster.io/selfsubjectrulesreviews', reviewOwnRules],
  ['authorization.cluster.io/subjectaccessreviews', reviewSubjectAccess],
]);
