// Written by `make generate` from the proto files. Change those.

import type { ObjectMeta } from '@binnacle/api-objects';

/** LocalSubjectAccessReview is an object of the authorization group. */
export type LocalSubjectAccessReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: SubjectAccessReviewSpec;
  /** The observed state, written by the system. */
  status?: SubjectAccessReviewStatus;
};

/** NonResourceAttributes describes one non resource attributes. */
export type NonResourceAttributes = {
  /** The path. */
  path?: string;
  /** The verb. */
  verb?: string;
};

/** NonResourceRule describes one non resource rule. */
export type NonResourceRule = {
  /** The list of verbs. */
  verbs?: string[] | null;
  /** The list of non resource urls. */
  nonResourceURLs?: string[];
};

/** ResourceAttributes describes one resource attributes. */
export type ResourceAttributes = {
  /** The namespace of the object. */
  namespace?: string;
  /** The verb. */
  verb?: string;
  /** The group. */
  group?: string;
  /** The version. */
  version?: string;
  /** The resource. */
  resource?: string;
  /** The subresource. */
  subresource?: string;
  /** The name of the object. */
  name?: string;
};

/** ResourceRule describes one resource rule. */
export type ResourceRule = {
  /** The list of verbs. */
  verbs?: string[] | null;
  /** The list of api groups. */
  apiGroups?: string[];
  /** The list of resources. */
  resources?: string[];
  /** The list of resource names. */
  resourceNames?: string[];
};

/** SelfSubjectAccessReview is an object of the authorization group. */
export type SelfSubjectAccessReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: SelfSubjectAccessReviewSpec;
  /** The observed state, written by the system. */
  status?: SubjectAccessReviewStatus;
};

/** SelfSubjectAccessReviewSpec is the desired state of a self subject access review. */
export type SelfSubjectAccessReviewSpec = {
  /** The resource attributes. */
  resourceAttributes?: ResourceAttributes;
  /** The non resource attributes. */
  nonResourceAttributes?: NonResourceAttributes;
};

/** SelfSubjectRulesReview is an object of the authorization group. */
export type SelfSubjectRulesReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: SelfSubjectRulesReviewSpec;
  /** The observed state, written by the system. */
  status?: SubjectRulesReviewStatus;
};

/** SelfSubjectRulesReviewSpec is the desired state of a self subject rules review. */
export type SelfSubjectRulesReviewSpec = {
  /** The namespace of the object. */
  namespace?: string;
};

/** SubjectAccessReview is an object of the authorization group. */
export type SubjectAccessReview = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: SubjectAccessReviewSpec;
  /** The observed state, written by the system. */
  status?: SubjectAccessReviewStatus;
};

/** SubjectAccessReviewSpec is the desired state of a subject access review. */
export type SubjectAccessReviewSpec = {
  /** The resource attributes. */
  resourceAttributes?: ResourceAttributes;
  /** The non resource attributes. */
  nonResourceAttributes?: NonResourceAttributes;
  /** The user. */
  user?: string;
  /** The list of groups. */
  groups?: string[];
  /** The extra, by key. */
  extra?: { [key: string]: string[] };
  /** The unique identifier of the object. */
  uid?: string;
};

/** SubjectAccessReviewStatus is the observed state of a subject access review. */
export type SubjectAccessReviewStatus = {
  /** Whether allowed applies. */
  allowed?: boolean;
  /** Whether denied applies. */
  denied?: boolean;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** The evaluation error. */
  evaluationError?: string;
};

/** SubjectRulesReviewStatus is the observed state of a subject rules review. */
export type SubjectRulesReviewStatus = {
  /** The list of resource rules. */
  resourceRules?: ResourceRule[] | null;
  /** The list of non resource rules. */
  nonResourceRules?: NonResourceRule[] | null;
  /** Whether incomplete applies. */
  incomplete?: boolean;
  /** The evaluation error. */
  evaluationError?: string;
};
