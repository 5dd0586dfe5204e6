// Written by `make generate` from the proto files. Change those.

import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** ContainerResourceMetricSource describes one container resource metric source. */
export type ContainerResourceMetricSource = {
  /** The name of the object. */
  name?: string;
  /** The target. */
  target?: MetricTarget;
  /** The container. */
  container?: string;
};

/** ContainerResourceMetricStatus is the observed state of a container resource metric. */
export type ContainerResourceMetricStatus = {
  /** The name of the object. */
  name?: string;
  /** The current. */
  current?: MetricValueStatus;
  /** The container. */
  container?: string;
};

/** CrossVersionObjectReference describes one cross version object reference. */
export type CrossVersionObjectReference = {
  /** The kind of the object. */
  kind?: string;
  /** The name of the object. */
  name?: string;
  /** The group and version of the object. */
  apiVersion?: string;
};

/** ExternalMetricSource describes one external metric source. */
export type ExternalMetricSource = {
  /** The metric. */
  metric?: MetricIdentifier;
  /** The target. */
  target?: MetricTarget;
};

/** ExternalMetricStatus is the observed state of a external metric. */
export type ExternalMetricStatus = {
  /** The metric. */
  metric?: MetricIdentifier;
  /** The current. */
  current?: MetricValueStatus;
};

/** HPAScalingPolicy describes one hpascaling policy. */
export type HPAScalingPolicy = {
  /** The type. */
  type?: string;
  /** The value. */
  value?: number;
  /** The period seconds. */
  periodSeconds?: number;
};

/** HPAScalingRules describes one hpascaling rules. */
export type HPAScalingRules = {
  /** The stabilization window seconds. */
  stabilizationWindowSeconds?: number;
  /** The select policy. */
  selectPolicy?: string;
  /** The list of policies. */
  policies?: HPAScalingPolicy[];
};

/** HorizontalPodAutoscaler is an object of the autoscaling group. */
export type HorizontalPodAutoscaler = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: HorizontalPodAutoscalerSpec;
  /** The observed state, written by the system. */
  status?: HorizontalPodAutoscalerStatus;
};

/** HorizontalPodAutoscalerBehavior describes one horizontal pod autoscaler behavior. */
export type HorizontalPodAutoscalerBehavior = {
  /** The scale up. */
  scaleUp?: HPAScalingRules;
  /** The scale down. */
  scaleDown?: HPAScalingRules;
};

/** HorizontalPodAutoscalerCondition is one condition in the state of a horizontal pod autoscaler. */
export type HorizontalPodAutoscalerCondition = {
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

/** HorizontalPodAutoscalerList is a list of HorizontalPodAutoscaler objects. */
export type HorizontalPodAutoscalerList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: HorizontalPodAutoscaler[] | null;
};

/** HorizontalPodAutoscalerSpec is the desired state of a horizontal pod autoscaler. */
export type HorizontalPodAutoscalerSpec = {
  /** The scale target ref. */
  scaleTargetRef?: CrossVersionObjectReference;
  /** The min replicas. */
  minReplicas?: number;
  /** The max replicas. */
  maxReplicas?: number;
  /** The list of metrics. */
  metrics?: MetricSpec[];
  /** The behavior. */
  behavior?: HorizontalPodAutoscalerBehavior;
};

/** HorizontalPodAutoscalerStatus is the observed state of a horizontal pod autoscaler. */
export type HorizontalPodAutoscalerStatus = {
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** The last scale time. RFC 3339, in whole seconds. */
  lastScaleTime?: string;
  /** The current replicas. */
  currentReplicas?: number;
  /** The desired replicas. */
  desiredReplicas?: number;
  /** The list of current metrics. */
  currentMetrics?: MetricStatus[] | null;
  /** Aspects of the current state. */
  conditions?: HorizontalPodAutoscalerCondition[];
};

/** MetricIdentifier describes one metric identifier. */
export type MetricIdentifier = {
  /** The name of the object. */
  name?: string;
  /** Labels that select the pods. */
  selector?: LabelSelector;
};

/** MetricSpec is the desired state of a metric. */
export type MetricSpec = {
  /** The type. */
  type?: string;
  /** The object. */
  object?: ObjectMetricSource;
  /** The pods. */
  pods?: PodsMetricSource;
  /** The resource. */
  resource?: ResourceMetricSource;
  /** The container resource. */
  containerResource?: ContainerResourceMetricSource;
  /** The external. */
  external?: ExternalMetricSource;
};

/** MetricStatus is the observed state of a metric. */
export type MetricStatus = {
  /** The type. */
  type?: string;
  /** The object. */
  object?: ObjectMetricStatus;
  /** The pods. */
  pods?: PodsMetricStatus;
  /** The resource. */
  resource?: ResourceMetricStatus;
  /** The container resource. */
  containerResource?: ContainerResourceMetricStatus;
  /** The external. */
  external?: ExternalMetricStatus;
};

/** MetricTarget describes one metric target. */
export type MetricTarget = {
  /** The type. */
  type?: string;
  /** The value. */
  value?: string;
  /** The average value. */
  averageValue?: string;
  /** The average utilization. */
  averageUtilization?: number;
};

/** MetricValueStatus is the observed state of a metric value. */
export type MetricValueStatus = {
  /** The value. */
  value?: string;
  /** The average value. */
  averageValue?: string;
  /** The average utilization. */
  averageUtilization?: number;
};

/** ObjectMetricSource describes one object metric source. */
export type ObjectMetricSource = {
  /** The described object. */
  describedObject?: CrossVersionObjectReference;
  /** The target. */
  target?: MetricTarget;
  /** The metric. */
  metric?: MetricIdentifier;
};

/** ObjectMetricStatus is the observed state of a object metric. */
export type ObjectMetricStatus = {
  /** The metric. */
  metric?: MetricIdentifier;
  /** The current. */
  current?: MetricValueStatus;
  /** The described object. */
  describedObject?: CrossVersionObjectReference;
};

/** PodsMetricSource describes one pods metric source. */
export type PodsMetricSource = {
  /** The metric. */
  metric?: MetricIdentifier;
  /** The target. */
  target?: MetricTarget;
};

/** PodsMetricStatus is the observed state of a pods metric. */
export type PodsMetricStatus = {
  /** The metric. */
  metric?: MetricIdentifier;
  /** The current. */
  current?: MetricValueStatus;
};

/** ResourceMetricSource describes one resource metric source. */
export type ResourceMetricSource = {
  /** The name of the object. */
  name?: string;
  /** The target. */
  target?: MetricTarget;
};

/** ResourceMetricStatus is the observed state of a resource metric. */
export type ResourceMetricStatus = {
  /** The name of the object. */
  name?: string;
  /** The current. */
  current?: MetricValueStatus;
};
