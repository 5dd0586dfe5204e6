// Written by `make generate` from the proto files. Change those.

import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** MatchResources describes one match resources. */
export type MatchResources = {
  /** Labels that select the namespaces concerned. */
  namespaceSelector?: LabelSelector;
  /** The object selector. */
  objectSelector?: LabelSelector;
  /** The list of resource rules. */
  resourceRules?: NamedRuleWithOperations[];
  /** The list of exclude resource rules. */
  excludeResourceRules?: NamedRuleWithOperations[];
  /** The match policy. */
  matchPolicy?: 'Exact' | 'Equivalent';
};

/** NamedRuleWithOperations describes one named rule with operations. */
export type NamedRuleWithOperations = {
  /** The list of resource names. */
  resourceNames?: string[];
  /** The operations; '*' for all. */
  operations?: ('*' | 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  /** The groups; '*' for all. */
  apiGroups?: string[];
  /** The versions; '*' for all. */
  apiVersions?: string[];
  /** The resources, with subresources as resource/subresource; '*' for all. */
  resources?: string[];
  /** Cluster-scoped resources, namespaced ones, or both. */
  scope?: 'Cluster' | 'Namespaced' | '*';
};

/** ParamKind describes one param kind. */
export type ParamKind = {
  /** The group and version of the object. */
  apiVersion?: string;
  /** The kind of the object. */
  kind?: string;
};

/** ParamRef describes one param ref. */
export type ParamRef = {
  /** The name of the object. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
};

/** ValidatingAdmissionPolicy is an object of the admissionregistration group. */
export type ValidatingAdmissionPolicy = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ValidatingAdmissionPolicySpec;
};

/** ValidatingAdmissionPolicyBinding is an object of the admissionregistration group. */
export type ValidatingAdmissionPolicyBinding = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ValidatingAdmissionPolicyBindingSpec;
};

/** ValidatingAdmissionPolicyBindingList is a list of ValidatingAdmissionPolicyBinding objects. */
export type ValidatingAdmissionPolicyBindingList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ValidatingAdmissionPolicyBinding[];
};

/** ValidatingAdmissionPolicyBindingSpec is the desired state of a validating admission policy binding. */
export type ValidatingAdmissionPolicyBindingSpec = {
  /** The policy name. */
  policyName?: string;
  /** The param ref. */
  paramRef?: ParamRef;
  /** The match resources. */
  matchResources?: MatchResources;
};

/** ValidatingAdmissionPolicyList is a list of ValidatingAdmissionPolicy objects. */
export type ValidatingAdmissionPolicyList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ValidatingAdmissionPolicy[];
};

/** ValidatingAdmissionPolicySpec is the desired state of a validating admission policy. */
export type ValidatingAdmissionPolicySpec = {
  /** The param kind. */
  paramKind?: ParamKind;
  /** The match constraints. */
  matchConstraints?: MatchResources;
  /** The list of validations. */
  validations?: Validation[] | null;
  /** The failure policy. */
  failurePolicy?: 'Ignore' | 'Fail';
};

/** Validation describes one validation. */
export type Validation = {
  /** The expression. */
  expression?: string;
  /** Why, as a sentence for people. */
  message?: string;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
};
