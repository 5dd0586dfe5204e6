// Written by `make generate` from the proto files. Change those.

import type { JsonValue, ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** APIGroup is an object of the meta group. */
export type APIGroup = {
  apiVersion?: string;
  kind?: string;
  /** The name of the object. */
  name?: string;
  /** The list of versions. */
  versions?: GroupVersionForDiscovery[] | null;
  /** The preferred version. */
  preferredVersion?: GroupVersionForDiscovery;
  /** The list of server address by client cidrs. */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
};

/** APIGroupList is an object of the meta group. */
export type APIGroupList = {
  apiVersion?: string;
  kind?: string;
  /** The list of groups. */
  groups?: APIGroup[] | null;
};

/** APIResource describes one apiresource. */
export type APIResource = {
  /** The name of the object. */
  name?: string;
  /** The singular name. */
  singularName?: string;
  /** Whether namespaced applies. */
  namespaced?: boolean;
  /** The group. */
  group?: string;
  /** The version. */
  version?: string;
  /** The kind of the object. */
  kind?: string;
  /** The verbs. */
  verbs?: string[] | null;
  /** The list of short names. */
  shortNames?: string[];
  /** The list of categories. */
  categories?: string[];
  /** The storage version hash. */
  storageVersionHash?: string;
};

/** APIResourceList is an object of the meta group. */
export type APIResourceList = {
  apiVersion?: string;
  kind?: string;
  /** The group version. */
  groupVersion?: string;
  /** The list of resources. */
  resources?: APIResource[] | null;
};

/** APIVersions is an object of the meta group. */
export type APIVersions = {
  apiVersion?: string;
  kind?: string;
  /** The list of versions. */
  versions?: string[] | null;
  /** The list of server address by client cidrs. */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[] | null;
};

/** ApplyOptions are the parameters of apply requests. */
export type ApplyOptions = {
  apiVersion?: string;
  kind?: string;
  /** All: go through every step but do not store. */
  dryRun?: string[];
  /** Take fields from other managers. */
  force?: boolean;
  /** The name of the one who writes. */
  fieldManager?: string;
};

/** Condition is one aspect of an object's state. */
export type Condition = {
  /** The aspect. */
  type?: string;
  /** True, False or Unknown. */
  status?: string;
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** CreateOptions are the parameters of create requests. */
export type CreateOptions = {
  apiVersion?: string;
  kind?: string;
  /** All: go through every step but do not store. */
  dryRun?: string[];
  /** The name of the one who writes. */
  fieldManager?: string;
  /** The treatment of unknown and duplicate fields. */
  fieldValidation?: string;
};

/** DeleteOptions are the parameters of delete requests. */
export type DeleteOptions = {
  apiVersion?: string;
  kind?: string;
  /** How long the object has to end in order; 0 for at once. */
  gracePeriodSeconds?: number | bigint;
  /** The conditions under which the object is deleted. */
  preconditions?: Preconditions;
  /** The old form of propagationPolicy. */
  orphanDependents?: boolean;
  /** The fate of the objects that depend on this one. */
  propagationPolicy?: string;
  /** All: go through every step but do not delete. */
  dryRun?: string[];
};

/** GetOptions are the parameters of get requests. */
export type GetOptions = {
  apiVersion?: string;
  kind?: string;
  /** How fresh the answer must be. */
  resourceVersion?: string;
};

/** GroupKind describes one group kind. */
export type GroupKind = {
  /** The group. */
  group?: string;
  /** The kind of the object. */
  kind?: string;
};

/** GroupResource describes one group resource. */
export type GroupResource = {
  /** The group. */
  group?: string;
  /** The resource. */
  resource?: string;
};

/** GroupVersion describes one group version. */
export type GroupVersion = {
  /** The group. */
  group?: string;
  /** The version. */
  version?: string;
};

/** GroupVersionForDiscovery describes one group version for discovery. */
export type GroupVersionForDiscovery = {
  /** The group version. */
  groupVersion?: string;
  /** The version. */
  version?: string;
};

/** GroupVersionKind describes one group version kind. */
export type GroupVersionKind = {
  /** The group. */
  group?: string;
  /** The version. */
  version?: string;
  /** The kind of the object. */
  kind?: string;
};

/** GroupVersionResource describes one group version resource. */
export type GroupVersionResource = {
  /** The group. */
  group?: string;
  /** The version. */
  version?: string;
  /** The resource. */
  resource?: string;
};

/** LabelSelector chooses objects by labels; everything when empty. All requirements must hold. */
export type LabelSelector = {
  /** Labels that must have these values. */
  matchLabels?: { [key: string]: string };
  /** Further requirements. */
  matchExpressions?: LabelSelectorRequirement[];
};

/** LabelSelectorRequirement is a condition on one label. */
export type LabelSelectorRequirement = {
  /** The label. */
  key?: string;
  /** How the label is compared with the values. */
  operator?: string;
  /** The values; none for Exists and DoesNotExist. */
  values?: string[];
};

/** List is a list of objects. */
export type List = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: JsonValue[] | null;
};

/** ListOptions are the parameters of list and watch requests. */
export type ListOptions = {
  apiVersion?: string;
  kind?: string;
  /** A selector on labels. */
  labelSelector?: string;
  /** A selector on fields. */
  fieldSelector?: string;
  /** Stream changes instead of listing. */
  watch?: boolean;
  /** Send an event without object from time to time that tells the version reached. */
  allowWatchBookmarks?: boolean;
  /** The version to begin at. */
  resourceVersion?: string;
  /** How resourceVersion is meant. */
  resourceVersionMatch?: string;
  /** How long the request may last. */
  timeoutSeconds?: number | bigint;
  /** The most objects to return at once. */
  limit?: number | bigint;
  /** The token of the previous part of the list. */
  continue?: string;
};

/** PartialObjectMetadata is an object reduced to its metadata. */
export type PartialObjectMetadata = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
};

/** PartialObjectMetadataList is a list of PartialObjectMetadata objects. */
export type PartialObjectMetadataList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PartialObjectMetadata[] | null;
};

/** Patch describes one patch. */
export type Patch = {
};

/** PatchOptions are the parameters of patch requests. */
export type PatchOptions = {
  apiVersion?: string;
  kind?: string;
  /** All: go through every step but do not store. */
  dryRun?: string[];
  /** Take fields from other managers; for apply patches. */
  force?: boolean;
  /** The name of the one who writes; apply patches need it. */
  fieldManager?: string;
  /** The treatment of unknown and duplicate fields. */
  fieldValidation?: string;
};

/** Preconditions must be true for a write to happen. */
export type Preconditions = {
  /** The identifier that the object must have. */
  uid?: string;
  /** The version that the object must have. */
  resourceVersion?: string;
};

/** RootPaths describes one root paths. */
export type RootPaths = {
  /** The list of paths. */
  paths?: string[] | null;
};

/** ServerAddressByClientCIDR describes one server address by client cidr. */
export type ServerAddressByClientCIDR = {
  /** The client cidr. */
  clientCIDR?: string;
  /** The server address. */
  serverAddress?: string;
};

/** Status is the answer to a request that returns no object. */
export type Status = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** Success or Failure. */
  status?: string;
  /** A description of the event, for people. */
  message?: string;
  /** Why the request failed, as one word for programs. */
  reason?: string;
  /** More about the failure. */
  details?: StatusDetails;
  /** The HTTP status code. */
  code?: number;
};

/** StatusCause is one cause of a failure. */
export type StatusCause = {
  /** The reason of the failure, as one word for programs. */
  reason?: string;
  /** The description of the failure, for people. */
  message?: string;
  /** The field that is wrong, as a path. */
  field?: string;
};

/** StatusDetails says more about a failure. */
export type StatusDetails = {
  /** The name of the object. */
  name?: string;
  /** The group of the object. */
  group?: string;
  /** The kind or resource of the object. */
  kind?: string;
  /** The identifier of the object. */
  uid?: string;
  /** The single causes. */
  causes?: StatusCause[];
  /** When to try again. */
  retryAfterSeconds?: number;
};

/** TableOptions is an object of the meta group. */
export type TableOptions = {
  apiVersion?: string;
  kind?: string;
  /** The include object. */
  includeObject?: string;
};

/** Timestamp is a point in time as two numbers. */
export type Timestamp = {
  /** Seconds since the beginning of 1970. */
  seconds?: number | bigint;
  /** Billionths of a second beyond that. */
  nanos?: number;
};

/** TypeMeta describes one type meta. */
export type TypeMeta = {
  /** The kind of the object. */
  kind?: string;
  /** The group and version of the object. */
  apiVersion?: string;
};

/** UpdateOptions are the parameters of update requests. */
export type UpdateOptions = {
  apiVersion?: string;
  kind?: string;
  /** All: go through every step but do not store. */
  dryRun?: string[];
  /** The name of the one who writes. */
  fieldManager?: string;
  /** The treatment of unknown and duplicate fields. */
  fieldValidation?: string;
};

/** WatchEvent is one change in a watch. */
export type WatchEvent = {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  type?: string;
  /** The object after the change, or a Status. */
  object?: JsonValue | null;
};
