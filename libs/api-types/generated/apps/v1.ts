// Written by `make generate` from the proto files. Change those.

import type { PersistentVolumeClaim, PodTemplateSpec } from '../core/v1.ts';
import type { LabelSelector } from '../meta/v1.ts';
import type { JsonValue, ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** ControllerRevision is an object of the apps group. */
export type ControllerRevision = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The data. */
  data?: JsonValue | null;
  /** The revision. */
  revision?: number | bigint;
};

/** ControllerRevisionList is a list of ControllerRevision objects. */
export type ControllerRevisionList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ControllerRevision[] | null;
};

/** DaemonSet is an object of the apps group. */
export type DaemonSet = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: DaemonSetSpec;
  /** The observed state, written by the system. */
  status?: DaemonSetStatus;
};

/** DaemonSetCondition is one condition in the state of a daemon set. */
export type DaemonSetCondition = {
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

/** DaemonSetList is a list of DaemonSet objects. */
export type DaemonSetList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: DaemonSet[] | null;
};

/** DaemonSetSpec is the desired state of a daemon set. */
export type DaemonSetSpec = {
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The pod that is created. */
  template?: PodTemplateSpec;
  /** The update strategy. */
  updateStrategy?: DaemonSetUpdateStrategy;
  /** How long a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** How many old revisions are kept for a rollback. */
  revisionHistoryLimit?: number;
};

/** DaemonSetStatus is the observed state of a daemon set. */
export type DaemonSetStatus = {
  /** The current number scheduled. */
  currentNumberScheduled?: number;
  /** The number misscheduled. */
  numberMisscheduled?: number;
  /** The desired number scheduled. */
  desiredNumberScheduled?: number;
  /** The number ready. */
  numberReady?: number;
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** The updated number scheduled. */
  updatedNumberScheduled?: number;
  /** The number available. */
  numberAvailable?: number;
  /** The number unavailable. */
  numberUnavailable?: number;
  /** The collision count. */
  collisionCount?: number;
  /** Aspects of the current state. */
  conditions?: DaemonSetCondition[];
};

/** DaemonSetUpdateStrategy describes one daemon set update strategy. */
export type DaemonSetUpdateStrategy = {
  /** The type. */
  type?: 'RollingUpdate' | 'OnDelete';
  /** The rolling update. */
  rollingUpdate?: RollingUpdateDaemonSet;
};

/** Deployment is an object of the apps group. */
export type Deployment = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: DeploymentSpec;
  /** The observed state, written by the system. */
  status?: DeploymentStatus;
};

/** DeploymentCondition is one condition in the state of a deployment. */
export type DeploymentCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** When the condition was last written. RFC 3339, in whole seconds. */
  lastUpdateTime?: string | null;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** DeploymentList is a list of Deployment objects. */
export type DeploymentList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Deployment[] | null;
};

/** DeploymentSpec is the desired state of a deployment. */
export type DeploymentSpec = {
  /** The number of pods. */
  replicas?: number;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The pod that is created. */
  template?: PodTemplateSpec;
  /** The strategy. */
  strategy?: DeploymentStrategy;
  /** How long a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** How many old revisions are kept for a rollback. */
  revisionHistoryLimit?: number;
  /** Whether paused applies. */
  paused?: boolean;
  /** The progress deadline seconds. */
  progressDeadlineSeconds?: number;
};

/** DeploymentStatus is the observed state of a deployment. */
export type DeploymentStatus = {
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** The number of pods. */
  replicas?: number;
  /** The updated replicas. */
  updatedReplicas?: number;
  /** The ready replicas. */
  readyReplicas?: number;
  /** The available replicas. */
  availableReplicas?: number;
  /** The unavailable replicas. */
  unavailableReplicas?: number;
  /** Aspects of the current state. */
  conditions?: DeploymentCondition[];
  /** The collision count. */
  collisionCount?: number;
};

/** DeploymentStrategy describes one deployment strategy. */
export type DeploymentStrategy = {
  /** The type. */
  type?: 'Recreate' | 'RollingUpdate';
  /** The rolling update. */
  rollingUpdate?: RollingUpdateDeployment;
};

/** ReplicaSet is an object of the apps group. */
export type ReplicaSet = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ReplicaSetSpec;
  /** The observed state, written by the system. */
  status?: ReplicaSetStatus;
};

/** ReplicaSetCondition is one condition in the state of a replica set. */
export type ReplicaSetCondition = {
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

/** ReplicaSetList is a list of ReplicaSet objects. */
export type ReplicaSetList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ReplicaSet[] | null;
};

/** ReplicaSetSpec is the desired state of a replica set. */
export type ReplicaSetSpec = {
  /** The number of pods. */
  replicas?: number;
  /** How long a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The pod that is created. */
  template?: PodTemplateSpec;
};

/** ReplicaSetStatus is the observed state of a replica set. */
export type ReplicaSetStatus = {
  /** The number of pods. */
  replicas?: number;
  /** The fully labeled replicas. */
  fullyLabeledReplicas?: number;
  /** The ready replicas. */
  readyReplicas?: number;
  /** The available replicas. */
  availableReplicas?: number;
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** Aspects of the current state. */
  conditions?: ReplicaSetCondition[];
};

/** RollingUpdateDaemonSet describes one rolling update daemon set. */
export type RollingUpdateDaemonSet = {
  /** The max unavailable. */
  maxUnavailable?: number | string;
  /** The max surge. */
  maxSurge?: number | string;
};

/** RollingUpdateDeployment describes one rolling update deployment. */
export type RollingUpdateDeployment = {
  /** The max unavailable. */
  maxUnavailable?: number | string;
  /** The max surge. */
  maxSurge?: number | string;
};

/** RollingUpdateStatefulSetStrategy describes one rolling update stateful set strategy. */
export type RollingUpdateStatefulSetStrategy = {
  /** The partition. */
  partition?: number;
  /** The max unavailable. */
  maxUnavailable?: number | string;
};

/** StatefulSet is an object of the apps group. */
export type StatefulSet = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: StatefulSetSpec;
  /** The observed state, written by the system. */
  status?: StatefulSetStatus;
};

/** StatefulSetCondition is one condition in the state of a stateful set. */
export type StatefulSetCondition = {
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

/** StatefulSetList is a list of StatefulSet objects. */
export type StatefulSetList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: StatefulSet[] | null;
};

/** StatefulSetOrdinals describes one stateful set ordinals. */
export type StatefulSetOrdinals = {
  /** The start. */
  start?: number;
};

/** StatefulSetPersistentVolumeClaimRetentionPolicy describes one stateful set persistent volume claim retention policy. */
export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  /** The when deleted. */
  whenDeleted?: string;
  /** The when scaled. */
  whenScaled?: string;
};

/** StatefulSetSpec is the desired state of a stateful set. */
export type StatefulSetSpec = {
  /** The number of pods. */
  replicas?: number;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The pod that is created. */
  template?: PodTemplateSpec;
  /** The list of volume claim templates. */
  volumeClaimTemplates?: PersistentVolumeClaim[];
  /** The service name. */
  serviceName?: string;
  /** The pod management policy. */
  podManagementPolicy?: 'OrderedReady' | 'Parallel';
  /** The update strategy. */
  updateStrategy?: StatefulSetUpdateStrategy;
  /** How many old revisions are kept for a rollback. */
  revisionHistoryLimit?: number;
  /** How long a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** The persistent volume claim retention policy. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** The ordinals. */
  ordinals?: StatefulSetOrdinals;
};

/** StatefulSetStatus is the observed state of a stateful set. */
export type StatefulSetStatus = {
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** The number of pods. */
  replicas?: number;
  /** The ready replicas. */
  readyReplicas?: number;
  /** The current replicas. */
  currentReplicas?: number;
  /** The updated replicas. */
  updatedReplicas?: number;
  /** The current revision. */
  currentRevision?: string;
  /** The update revision. */
  updateRevision?: string;
  /** The collision count. */
  collisionCount?: number;
  /** Aspects of the current state. */
  conditions?: StatefulSetCondition[];
  /** The available replicas. */
  availableReplicas?: number;
};

/** StatefulSetUpdateStrategy describes one stateful set update strategy. */
export type StatefulSetUpdateStrategy = {
  /** The type. */
  type?: 'RollingUpdate' | 'OnDelete';
  /** The rolling update. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
};
