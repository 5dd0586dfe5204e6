// Written by `make generate` from the proto files. Change those.

import type { ObjectMeta } from '@binnacle/api-objects';

/** BoundObjectReference describes one bound object reference. */
export type BoundObjectReference = {
  /** The kind of the object. */
  kind?: string;
  /** The group and version of the object. */
  apiVersion?: string;
  /** The name of the object. */
  name?: string;
  /** The unique identifier of the object. */
  uid?: string;
};

/** TokenRequest is an object of the authentication group. */
export type TokenRequest = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: TokenRequestSpec;
  /** The observed state, written by the system. */
  status?: TokenRequestStatus;
};

/** TokenRequestSpec is the desired state of a token request. */
export type TokenRequestSpec = {
  /** The list of audiences. */
  audiences?: string[] | null;
  /** The expiration seconds. */
  expirationSeconds?: number | bigint;
  /** The bound object ref. */
  boundObjectRef?: BoundObjectReference;
};

/** TokenRequestStatus is the observed state of a token request. */
export type TokenRequestStatus = {
  /** The token. */
  token?: string;
  /** The expiration timestamp. RFC 3339, in whole seconds. */
  expirationTimestamp?: string | null;
};

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
