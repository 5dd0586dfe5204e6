// Written by `make generate` from the proto files. Change those.

import type { ObjectMeta } from '@binnacle/api-objects';

/** TokenReview is an object of the authentication group. */
export type TokenReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: TokenReviewSpec;
  /** The observed state, written by the system. */
  status?: TokenReviewStatus;
};

/** TokenReviewSpec is the desired state of a token review. */
export type TokenReviewSpec = {
  /** The token. */
  token?: string;
  /** The list of audiences. */
  audiences?: string[];
};

/** TokenReviewStatus is the observed state of a token review. */
export type TokenReviewStatus = {
  /** Whether authenticated applies. */
  authenticated?: boolean;
  /** The user. */
  user?: UserInfo;
  /** The list of audiences. */
  audiences?: string[];
  /** The error. */
  error?: string;
};

/** UserInfo describes one user info. */
export type UserInfo = {
  /** The username. */
  username?: string;
  /** The unique identifier of the object. */
  uid?: string;
  /** The list of groups. */
  groups?: string[];
  /** The extra, by key. */
  extra?: { [key: string]: string[] };
};
