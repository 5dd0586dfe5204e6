// Written by `make generate` from the proto files. Change those.

import type { ObjectMeta } from '@binnacle/api-objects';

/** ImageReview is an object of the imagepolicy group. */
export type ImageReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ImageReviewSpec;
  /** The observed state, written by the system. */
  status?: ImageReviewStatus;
};

/** ImageReviewContainerSpec is the desired state of a image review container. */
export type ImageReviewContainerSpec = {
  /** The image. */
  image?: string;
};

/** ImageReviewSpec is the desired state of a image review. */
export type ImageReviewSpec = {
  /** The list of containers. */
  containers?: ImageReviewContainerSpec[];
  /** The annotations, by key. */
  annotations?: { [key: string]: string };
  /** The namespace of the object. */
  namespace?: string;
};

/** ImageReviewStatus is the observed state of a image review. */
export type ImageReviewStatus = {
  /** Whether allowed applies. */
  allowed?: boolean;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** The audit annotations, by key. */
  auditAnnotations?: { [key: string]: string };
};
