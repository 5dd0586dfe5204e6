// Written by `make generate` from the proto files. Change those.

import type { UserInfo } from '../authentication/v1.ts';
import type { GroupVersionKind, GroupVersionResource, Status } from '../meta/v1.ts';
import type { JsonValue } from '@binnacle/api-objects';

/** AdmissionRequest describes one admission request. */
export type AdmissionRequest = {
  /** The unique identifier of the object. */
  uid?: string;
  /** The kind of the object. */
  kind?: GroupVersionKind;
  /** The resource. */
  resource?: GroupVersionResource;
  /** The sub resource. */
  subResource?: string;
  /** The request kind. */
  requestKind?: GroupVersionKind;
  /** The request resource. */
  requestResource?: GroupVersionResource;
  /** The request sub resource. */
  requestSubResource?: string;
  /** The name of the object. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
  /** The operation. */
  operation?: string;
  /** The user info. */
  userInfo?: UserInfo;
  /** The object. */
  object?: JsonValue | null;
  /** The old object. */
  oldObject?: JsonValue | null;
  /** Whether dry run applies. */
  dryRun?: boolean;
  /** The options. */
  options?: JsonValue | null;
};

/** AdmissionResponse describes one admission response. */
export type AdmissionResponse = {
  /** The unique identifier of the object. */
  uid?: string;
  /** Whether allowed applies. */
  allowed?: boolean;
  /** The observed state, written by the system. */
  status?: Status;
  /** The patch. Base64. */
  patch?: string;
  /** The patch type. */
  patchType?: string;
  /** The audit annotations, by key. */
  auditAnnotations?: { [key: string]: string };
  /** The list of warnings. */
  warnings?: string[];
};

/** AdmissionReview is an object of the admission group. */
export type AdmissionReview = {
  apiVersion?: string;
  kind?: string;
  /** The request. */
  request?: AdmissionRequest;
  /** The response. */
  response?: AdmissionResponse;
};
