// Written by `make generate` from the proto files. Change those.

import type { ObjectReference, PodTemplateSpec } from '../core/v1.ts';
import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** CronJob is an object of the batch group. */
export type CronJob = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: CronJobSpec;
  /** The observed state, written by the system. */
  status?: CronJobStatus;
};

/** CronJobList is a list of CronJob objects. */
export type CronJobList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: CronJob[] | null;
};

/** CronJobSpec is the desired state of a cron job. */
export type CronJobSpec = {
  /** The schedule. */
  schedule?: string;
  /** The time zone. */
  timeZone?: string;
  /** The starting deadline seconds. */
  startingDeadlineSeconds?: number | bigint;
  /** The concurrency policy. */
  concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
  /** Whether suspend applies. */
  suspend?: boolean;
  /** The job template. */
  jobTemplate?: JobTemplateSpec;
  /** The successful jobs history limit. */
  successfulJobsHistoryLimit?: number;
  /** The failed jobs history limit. */
  failedJobsHistoryLimit?: number;
};

/** CronJobStatus is the observed state of a cron job. */
export type CronJobStatus = {
  /** The list of active. */
  active?: ObjectReference[];
  /** The last schedule time. RFC 3339, in whole seconds. */
  lastScheduleTime?: string;
  /** The last successful time. RFC 3339, in whole seconds. */
  lastSuccessfulTime?: string;
};

/** Job is an object of the batch group. */
export type Job = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: JobSpec;
  /** The observed state, written by the system. */
  status?: JobStatus;
};

/** JobCondition is one condition in the state of a job. */
export type JobCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** When the condition was last checked. RFC 3339, in whole seconds. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** JobList is a list of Job objects. */
export type JobList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Job[] | null;
};

/** JobSpec is the desired state of a job. */
export type JobSpec = {
  /** The parallelism. */
  parallelism?: number;
  /** The completions. */
  completions?: number;
  /** The active deadline seconds. */
  activeDeadlineSeconds?: number | bigint;
  /** The pod failure policy. */
  podFailurePolicy?: PodFailurePolicy;
  /** The backoff limit. */
  backoffLimit?: number;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** Whether manual selector applies. */
  manualSelector?: boolean;
  /** The pod that is created. */
  template?: PodTemplateSpec;
  /** The ttl seconds after finished. */
  ttlSecondsAfterFinished?: number;
  /** The completion mode. */
  completionMode?: 'NonIndexed' | 'Indexed';
  /** Whether suspend applies. */
  suspend?: boolean;
};

/** JobStatus is the observed state of a job. */
export type JobStatus = {
  /** Aspects of the current state. */
  conditions?: JobCondition[];
  /** The start time. RFC 3339, in whole seconds. */
  startTime?: string;
  /** The completion time. RFC 3339, in whole seconds. */
  completionTime?: string;
  /** The active. */
  active?: number;
  /** The succeeded. */
  succeeded?: number;
  /** The failed. */
  failed?: number;
  /** The completed indexes. */
  completedIndexes?: string;
  /** The uncounted terminated pods. */
  uncountedTerminatedPods?: UncountedTerminatedPods;
  /** The ready. */
  ready?: number;
};

/** JobTemplateSpec is the desired state of a job template. */
export type JobTemplateSpec = {
  /** Standard object metadata. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: JobSpec;
};

/** PodFailurePolicy describes one pod failure policy. */
export type PodFailurePolicy = {
  /** The list of rules. */
  rules?: PodFailurePolicyRule[] | null;
};

/** PodFailurePolicyOnExitCodesRequirement describes one pod failure policy on exit codes requirement. */
export type PodFailurePolicyOnExitCodesRequirement = {
  /** The container name. */
  containerName?: string;
  /** The operator. */
  operator?: 'In' | 'NotIn';
  /** The list of values. */
  values?: number[] | null;
};

/** PodFailurePolicyOnPodConditionsPattern describes one pod failure policy on pod conditions pattern. */
export type PodFailurePolicyOnPodConditionsPattern = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
};

/** PodFailurePolicyRule describes one pod failure policy rule. */
export type PodFailurePolicyRule = {
  /** The action. */
  action?: 'FailJob' | 'Ignore' | 'Count';
  /** The on exit codes. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /** The list of on pod conditions. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | null;
};

/** UncountedTerminatedPods describes one uncounted terminated pods. */
export type UncountedTerminatedPods = {
  /** The list of succeeded. */
  succeeded?: string[];
  /** The list of failed. */
  failed?: string[];
};
