// Written by `make generate` from the proto files. Change those.

import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** FlowDistinguisherMethod describes one flow distinguisher method. */
export type FlowDistinguisherMethod = {
  /** The type. */
  type?: string;
};

/** FlowSchema says which requests go to which priority level, and which of them belong together. */
export type FlowSchema = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: FlowSchemaSpec;
  /** The observed state, written by the system. */
  status?: FlowSchemaStatus;
};

/** FlowSchemaCondition is one condition in the state of a flow schema. */
export type FlowSchemaCondition = {
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

/** FlowSchemaList is a list of FlowSchema objects. */
export type FlowSchemaList = {
  apiVersion?: string;
  kind?: string;
  /** Standard list metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: FlowSchema[] | null;
};

/** FlowSchemaSpec is the desired state of a flow schema. */
export type FlowSchemaSpec = {
  /** The priority level configuration. */
  priorityLevelConfiguration?: PriorityLevelConfigurationReference;
  /** The matching precedence. */
  matchingPrecedence?: number;
  /** The distinguisher method. */
  distinguisherMethod?: FlowDistinguisherMethod;
  /** The list of rules. */
  rules?: PolicyRulesWithSubjects[];
};

/** FlowSchemaStatus is the observed state of a flow schema. */
export type FlowSchemaStatus = {
  /** Aspects of the current state. */
  conditions?: FlowSchemaCondition[];
};

/** GroupSubject describes one group subject. */
export type GroupSubject = {
  /** The name of the object. */
  name?: string;
};

/** LimitResponse describes one limit response. */
export type LimitResponse = {
  /** The type. */
  type?: string;
  /** The queuing. */
  queuing?: QueuingConfiguration;
};

/** LimitedPriorityLevelConfiguration is how much of the server the requests of a priority level may take. */
export type LimitedPriorityLevelConfiguration = {
  /** The share of the level in the seats of the server. */
  assuredConcurrencyShares?: number;
  /** The treatment of requests beyond the share. */
  limitResponse?: LimitResponse;
  /** How much of its share the level lends to others while it does not need it. */
  lendablePercent?: number;
  /** How much the level may borrow from others, in percent of its share; without limit when it is not set. */
  borrowingLimitPercent?: number;
};

/** NonResourcePolicyRule describes one non resource policy rule. */
export type NonResourcePolicyRule = {
  /** The list of verbs. */
  verbs?: string[] | null;
  /** The list of non resource urls. */
  nonResourceURLs?: string[] | null;
};

/** PolicyRulesWithSubjects describes one policy rules with subjects. */
export type PolicyRulesWithSubjects = {
  /** The list of subjects. */
  subjects?: Subject[] | null;
  /** The list of resource rules. */
  resourceRules?: ResourcePolicyRule[];
  /** The list of non resource rules. */
  nonResourceRules?: NonResourcePolicyRule[];
};

/** PriorityLevelConfiguration is a priority level: how much of the server its requests may take. */
export type PriorityLevelConfiguration = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: PriorityLevelConfigurationSpec;
  /** The observed state, written by the system. */
  status?: PriorityLevelConfigurationStatus;
};

/** PriorityLevelConfigurationCondition is one condition in the state of a priority level configuration. */
export type PriorityLevelConfigurationCondition = {
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

/** PriorityLevelConfigurationList is a list of PriorityLevelConfiguration objects. */
export type PriorityLevelConfigurationList = {
  apiVersion?: string;
  kind?: string;
  /** Standard list metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PriorityLevelConfiguration[] | null;
};

/** PriorityLevelConfigurationReference describes one priority level configuration reference. */
export type PriorityLevelConfigurationReference = {
  /** The name of the object. */
  name?: string;
};

/** PriorityLevelConfigurationSpec is the desired state of a priority level. */
export type PriorityLevelConfigurationSpec = {
  /** Whether requests of the level are limited: Exempt or Limited. */
  type?: string;
  /** The limits; only of the type Limited. */
  limited?: LimitedPriorityLevelConfiguration;
};

/** PriorityLevelConfigurationStatus is the observed state of a priority level configuration. */
export type PriorityLevelConfigurationStatus = {
  /** Aspects of the current state. */
  conditions?: PriorityLevelConfigurationCondition[];
};

/** QueuingConfiguration describes one queuing configuration. */
export type QueuingConfiguration = {
  /** The queues. */
  queues?: number;
  /** The hand size. */
  handSize?: number;
  /** The queue length limit. */
  queueLengthLimit?: number;
};

/** ResourcePolicyRule describes one resource policy rule. */
export type ResourcePolicyRule = {
  /** The list of verbs. */
  verbs?: string[] | null;
  /** The list of api groups. */
  apiGroups?: string[] | null;
  /** The list of resources. */
  resources?: string[] | null;
  /** Whether cluster scope applies. */
  clusterScope?: boolean;
  /** The list of namespaces. */
  namespaces?: string[] | null;
};

/** ServiceAccountSubject describes one service account subject. */
export type ServiceAccountSubject = {
  /** The namespace of the object. */
  namespace?: string;
  /** The name of the object. */
  name?: string;
};

/** Subject describes one subject. */
export type Subject = {
  /** The kind of the object. */
  kind?: string;
  /** The user. */
  user?: UserSubject;
  /** The group. */
  group?: GroupSubject;
  /** The service account. */
  serviceAccount?: ServiceAccountSubject;
};

/** UserSubject describes one user subject. */
export type UserSubject = {
  /** The name of the object. */
  name?: string;
};
