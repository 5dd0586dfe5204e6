// Written by `make generate` from the proto files. Change those.

import type { FlowSchemaSpec, FlowSchemaStatus, LimitResponse, PriorityLevelConfigurationStatus } from './v1beta3.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

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

/** FlowSchemaList is a list of FlowSchema objects. */
export type FlowSchemaList = {
  apiVersion?: string;
  kind?: string;
  /** Standard list metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: FlowSchema[] | null;
};

/** LimitedPriorityLevelConfiguration is how much of the server the requests of a priority level may take. */
export type LimitedPriorityLevelConfiguration = {
  /** The share of the level in what the server does at a time. */
  assuredConcurrencyShares?: number;
  /** What happens to requests beyond the share. */
  limitResponse?: LimitResponse;
  /** How much of its share the level lends to others while it does not need it. */
  lendablePercent?: number;
  /** How much the level may borrow from others, in percent of its share; without limit when it is not set. */
  borrowingLimitPercent?: number;
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

/** PriorityLevelConfigurationList is a list of PriorityLevelConfiguration objects. */
export type PriorityLevelConfigurationList = {
  apiVersion?: string;
  kind?: string;
  /** Standard list metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PriorityLevelConfiguration[] | null;
};

/** PriorityLevelConfigurationSpec is the desired state of a priority level. */
export type PriorityLevelConfigurationSpec = {
  /** Whether requests of the level are limited: Exempt or Limited. */
  type?: string;
  /** The limits; only of the type Limited. */
  limited?: LimitedPriorityLevelConfiguration;
};
