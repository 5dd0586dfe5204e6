// Written by `make generate` from the proto files. Change those.

import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** AggregationRule says which cluster roles are collected. */
export type AggregationRule = {
  /** Labels of the cluster roles; one match is enough. */
  clusterRoleSelectors?: LabelSelector[];
};

/** ClusterRole is a set of rights for the cluster, or for any namespace it is bound in. */
export type ClusterRole = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The rights. */
  rules?: PolicyRule[] | null;
  /** Cluster roles whose rights are collected here; rules is then kept by a controller. */
  aggregationRule?: AggregationRule;
};

/** ClusterRoleBinding grants a cluster role to subjects everywhere. */
export type ClusterRoleBinding = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Who is granted the role. */
  subjects?: Subject[];
  /** The cluster role; fixed at creation. */
  roleRef?: RoleRef;
};

/** ClusterRoleBindingList is a list of ClusterRoleBinding objects. */
export type ClusterRoleBindingList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ClusterRoleBinding[] | null;
};

/** ClusterRoleList is a list of ClusterRole objects. */
export type ClusterRoleList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ClusterRole[] | null;
};

/** PolicyRule grants verbs on resources or on paths. */
export type PolicyRule = {
  /** The verbs granted; '*' for all. */
  verbs?: string[] | null;
  /** The groups of the resources; '*' for all. */
  apiGroups?: string[];
  /** The resources, with subresources as resource/subresource; '*' for all. */
  resources?: string[];
  /** The only names that the rule is for; all when empty. */
  resourceNames?: string[];
  /** Paths outside the API, for cluster roles; '*' may end one. */
  nonResourceURLs?: string[];
};

/** Role is a set of rights in one namespace. */
export type Role = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The rights. */
  rules?: PolicyRule[] | null;
};

/** RoleBinding grants a role to subjects in one namespace. */
export type RoleBinding = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Who is granted the role. */
  subjects?: Subject[];
  /** The role, of the same namespace or of the cluster; fixed at creation. */
  roleRef?: RoleRef;
};

/** RoleBindingList is a list of RoleBinding objects. */
export type RoleBindingList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: RoleBinding[] | null;
};

/** RoleList is a list of Role objects. */
export type RoleList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Role[] | null;
};

/** RoleRef names a role. */
export type RoleRef = {
  /** The API group of the role. */
  apiGroup?: string;
  /** Role or ClusterRole. */
  kind?: string;
  /** The name of the role. */
  name?: string;
};

/** Subject is a user, a group or a service account. */
export type Subject = {
  /** User, Group or ServiceAccount. */
  kind?: string;
  /** The API group of the subject's kind; empty for service accounts. */
  apiGroup?: string;
  /** The name of the subject. */
  name?: string;
  /** The namespace of a service account. */
  namespace?: string;
};
