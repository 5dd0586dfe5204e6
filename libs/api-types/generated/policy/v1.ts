// Written by `make generate` from the proto files. Change those.

import type { Condition, DeleteOptions, LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** Eviction is an object of the policy group. */
export type Eviction = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The delete options. */
  deleteOptions?: DeleteOptions;
};

/** PodDisruptionBudget is an object of the policy group. */
export type PodDisruptionBudget = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: PodDisruptionBudgetSpec;
  /** The observed state, written by the system. */
  status?: PodDisruptionBudgetStatus;
};

/** PodDisruptionBudgetList is a list of PodDisruptionBudget objects. */
export type PodDisruptionBudgetList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PodDisruptionBudget[] | null;
};

/** PodDisruptionBudgetSpec is the desired state of a pod disruption budget. */
export type PodDisruptionBudgetSpec = {
  /** The min available. */
  minAvailable?: number | string;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The max unavailable. */
  maxUnavailable?: number | string;
  /** The unhealthy pod eviction policy. */
  unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
};

/** PodDisruptionBudgetStatus is the observed state of a pod disruption budget. */
export type PodDisruptionBudgetStatus = {
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** The disrupted pods, by key. */
  disruptedPods?: { [key: string]: string };
  /** The disruptions allowed. */
  disruptionsAllowed?: number;
  /** The current healthy. */
  currentHealthy?: number;
  /** The desired healthy. */
  desiredHealthy?: number;
  /** The expected pods. */
  expectedPods?: number;
  /** Aspects of the current state. */
  conditions?: Condition[];
};
