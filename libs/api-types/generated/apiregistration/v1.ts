// Written by `make generate` from the proto files. Change those.

import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** APIService is an object of the apiregistration group. */
export type APIService = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: APIServiceSpec;
  /** The observed state, written by the system. */
  status?: APIServiceStatus;
};

/** APIServiceCondition is one condition in the state of a apiservice. */
export type APIServiceCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** APIServiceList is a list of APIService objects. */
export type APIServiceList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: APIService[] | null;
};

/** APIServiceSpec is the desired state of a apiservice. */
export type APIServiceSpec = {
  /** The service. */
  service?: ServiceReference;
  /** The group. */
  group?: string;
  /** The version. */
  version?: string;
  /** Whether insecure skip tlsverify applies. */
  insecureSkipTLSVerify?: boolean;
  /** The ca bundle. Base64. */
  caBundle?: string;
  /** The group priority minimum. */
  groupPriorityMinimum?: number;
  /** The version priority. */
  versionPriority?: number;
};

/** APIServiceStatus is the observed state of a apiservice. */
export type APIServiceStatus = {
  /** Aspects of the current state. */
  conditions?: APIServiceCondition[];
};

/** ServiceReference describes one service reference. */
export type ServiceReference = {
  /** The namespace of the object. */
  namespace?: string;
  /** The name of the object. */
  name?: string;
  /** The port number. */
  port?: number;
};
