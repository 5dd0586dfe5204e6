import type { Statement } from '../../drivers/conformance-server.ts';

/** 2, "What the service does", "User attributes", "TokenReview", "SelfSubjectReview". */
export const userAndReviewStatements: readonly Statement[] = [
  {
    place: '2/What the service does/1',
    says: 'Every request is authenticated by one of several methods or is anonymous; authorization acts on the user.',
  },
  { place: '2/User attributes/username', says: 'A user has a name, a text.' },
  { place: '2/User attributes/uid', says: 'A user has a uid, a text that is meant to be unique.' },
  {
    place: '2/User attributes/groups',
    says: 'A user has groups; system:authenticated is added for every authenticated user.',
  },
  { place: '2/User attributes/extra', says: 'A user has extra values, a map of lists, for authorizers.' },
  {
    place: '2/TokenReview/apiVersion',
    says: 'A remote service is sent a TokenReview of v1 or v1beta1, and answers in the same version.',
  },
  { place: '2/TokenReview/spec.token', says: 'The review has the opaque bearer token.' },
  {
    place: '2/TokenReview/spec.audiences',
    says: 'Audiences are optional; the intersection comes back; without any the token is for the API server.',
  },
  {
    place: '2/TokenReview/status.authenticated',
    says: 'The remote service says whether the token is valid.',
  },
  {
    place: '2/TokenReview/status.user',
    says: 'A success names the user, optionally with uid, groups and extra.',
  },
  {
    place: '2/TokenReview/status.error',
    says: 'The error is optional, and ignored when authenticated is true; a failure without one is a plain Unauthorized.',
  },
  { place: '2/TokenReview/a', says: 'The spec of the answer is ignored.' },
  {
    place: '2/SelfSubjectReview/a',
    says: 'A SelfSubjectReview has no fields to fill in; the server fills status.userInfo with username, uid, groups and extra of the caller.',
  },
  {
    place: '2/Endpoints/selfsubjectreviews',
    says: 'POST /apis/authentication.cluster.io/v1alpha1/selfsubjectreviews with apiVersion and kind alone is answered with status.userInfo.',
  },
];
