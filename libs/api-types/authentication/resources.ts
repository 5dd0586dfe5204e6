import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, operation } from '../definitions/resource-declaration.ts';

const group = groups.authentication;

/** TokenReview, version v1. TokenRequest is a subresource of service accounts. */
export const authenticationV1: GroupVersionDeclaration = {
  group,
  version: 'v1',
  protoPackage: 'authentication.v1',
  resources: [operation({ kind: 'TokenReview', resource: 'tokenreviews', namespaced: false })],
};

/** SelfSubjectReview, version v1alpha1. */
export const authenticationV1alpha1: GroupVersionDeclaration = {
  group,
  version: 'v1alpha1',
  protoPackage: 'authentication.v1alpha1',
  resources: [operation({ kind: 'SelfSubjectReview', resource: 'selfsubjectreviews', namespaced: false })],
};
