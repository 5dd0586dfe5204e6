import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, operation } from '../definitions/resource-declaration.ts';

/** Access reviews, version v1. */
export const authorizationV1: GroupVersionDeclaration = {
  group: groups.authorization,
  version: 'v1',
  protoPackage: 'authorization.v1',
  resources: [
    operation({
      kind: 'LocalSubjectAccessReview',
      resource: 'localsubjectaccessreviews',
      namespaced: true,
    }),
    operation({
      kind: 'SelfSubjectAccessReview',
      resource: 'selfsubjectaccessreviews',
      namespaced: false,
    }),
    operation({ kind: 'SelfSubjectRulesReview', resource: 'selfsubjectrulesreviews', namespaced: false }),
    operation({ kind: 'SubjectAccessReview', resource: 'subjectaccessreviews', namespaced: false }),
  ],
};
