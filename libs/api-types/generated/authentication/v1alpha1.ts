// Written by `make generate` from the proto files. Change those.

import type { UserInfo } from './v1.ts';
import type { ObjectMeta } from '@binnacle/api-objects';

/** SelfSubjectReview is an object of the authentication group. */
export type SelfSubjectReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The observed state, written by the system. */
  status?: SelfSubjectReviewStatus;
};

/** SelfSubjectReviewStatus is the observed state of a self subject review. */
export type SelfSubjectReviewStatus = {
  /** The user info. */
  userInfo?: UserInfo;
};
