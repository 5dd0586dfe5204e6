// Written by `make generate` from the proto files. Change those.

import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** ContainerResourceMetricSource describes one container resource metric source. */
export type ContainerResourceMetricSource = {
  /** The name of the object. */
  name?: string;
  /** The target average utilization. */
  targetAverageUtilization?: number;
  /** The target average value. */
  targetAverageValue?: string;
  /** The container. */
  container?: string;
};

/** ContainerResourceMetricStatus is the observed state of a container resource metric. */
export type ContainerResourceMetricStatus = {
  /** The name of the object. */
  name?: string;
  /** The current average utilization. */
  currentAverageUtilization?: number;
  /** The current average value. */
  currentAverageValue?: string;
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
  /** The metric name. */
  metricName?: string;
  /** The metric selector. */
  metricSelector?: LabelSelector;
  /** The target value. */
  targetValue?: string;
  /** The target average value. */
  targetAverageValue?: string;
};

/** ExternalMetricStatus is the observed state of a external metric. */
export type ExternalMetricStatus = {
  /** The metric name. */
  metricName?: string;
  /** The metric selector. */
  metricSelector?: LabelSelector;
  /** The current value. */
  currentValue?: string;
  /** The current average value. */
  currentAverageValue?: string;
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
  /** The target cpuutilization percentage. */
  targetCPUUtilizationPercentage?: number;
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
  /** The current cpuutilization percentage. */
  currentCPUUtilizationPercentage?: number;
};

/** MetricSpec is the desired state of a metric. */
export type MetricSpec = {
  /** The type. */
  type?: 'Object' | 'Pods' | 'Resource' | 'ContainerResource' | 'External';
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
  type?: 'Object' | 'Pods' | 'Resource' | 'ContainerResource' | 'External';
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

/** ObjectMetricSource describes one object metric source. */
export type ObjectMetricSource = {
  /** The target. */
  target?: CrossVersionObjectReference;
  /** The metric name. */
  metricName?: string;
  /** The target value. */
  targetValue?: string;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The average value. */
  averageValue?: string;
};

/** ObjectMetricStatus is the observed state of a object metric. */
export type ObjectMetricStatus = {
  /** The target. */
  target?: CrossVersionObjectReference;
  /** The metric name. */
  metricName?: string;
  /** The current value. */
  currentValue?: string;
  /** Labels that select the pods. */
  selector?: LabelSelector;
  /** The average value. */
  averageValue?: string;
};

/** PodsMetricSource describes one pods metric source. */
export type PodsMetricSource = {
  /** The metric name. */
  metricName?: string;
  /** The target average value. */
  targetAverageValue?: string;
  /** Labels that select the pods. */
  selector?: LabelSelector;
};

/** PodsMetricStatus is the observed state of a pods metric. */
export type PodsMetricStatus = {
  /** The metric name. */
  metricName?: string;
  /** The current average value. */
  currentAverageValue?: string;
  /** Labels that select the pods. */
  selector?: LabelSelector;
};

/** ResourceMetricSource describes one resource metric source. */
export type ResourceMetricSource = {
  /** The name of the object. */
  name?: string;
  /** The target average utilization. */
  targetAverageUtilization?: number;
  /** The target average value. */
  targetAverageValue?: string;
};

/** ResourceMetricStatus is the observed state of a resource metric. */
export type ResourceMetricStatus = {
  /** The name of the object. */
  name?: string;
  /** The current average utilization. */
  currentAverageUtilization?: number;
  /** The current average value. */
  currentAverageValue?: string;
};

/** Scale is an object of the autoscaling group. */
export type Scale = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ScaleSpec;
  /** The observed state, written by the system. */
  status?: ScaleStatus;
};

/** ScaleSpec is the desired state of a scale. */
export type ScaleSpec = {
  /** The number of pods. */
  replicas?: number;
};

/** ScaleStatus is the observed state of a scale. */
export type ScaleStatus = {
  /** The number of pods. */
  replicas?: number;
  /** Labels that select the pods. */
  selector?: string;
};
