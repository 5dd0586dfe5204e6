import { copyJson, equalJson, type JsonValue } from '@binnacle/api-objects';
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../generated/autoscaling/v1.ts';
import type {
  HorizontalPodAutoscaler as AutoscalerV2,
  MetricSpec,
  MetricStatus,
} from '../generated/autoscaling/v2.ts';
import {
  type Annotation,
  type AnnotationValues,
  type ExactMetrics,
  readAnnotation,
  takeAnnotation,
  writeAnnotation,
} from './annotations.ts';
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from './metric-conversion.ts';

/** An autoscaler during conversion, with the fields of both versions. */
type Autoscaler = AutoscalerV1 & AutoscalerV2;
type Spec = NonNullable<Autoscaler['spec']>;
type Status = NonNullable<Autoscaler['status']>;

/**
 * Converts a v1 autoscaler to the stored version v2. CPU utilization, the only metric with v1 fields, becomes a metric;
 * annotations become fields. An invalid annotation is kept. Modifies `object`.
 */
export function toStorage(object: Autoscaler): void {
  const exact = takeAnnotation(object, 'exact');
  const before = exact === undefined ? undefined : readV1Form(object);
  object.apiVersion = 'autoscaling/v2';
  object.spec ??= {};
  object.status ??= {};
  const { spec, status } = object;
  // Version v2 omits the field if it is 0.
  if (status.currentReplicas === 0) delete status.currentReplicas;
  liftMetrics(object, spec);
  lift(object, 'behavior', value => {
    spec.behavior = value;
  });
  liftCurrentMetrics(object, status);
  lift(object, 'conditions', value => {
    status.conditions = value;
  });
  if (before) restoreExact({ spec, status, exact: exact ?? {} }, before);
}

/**
 * Converts the stored version v2 to v1: the CPU target becomes a field, everything else annotations, so that `toStorage` restores
 * the stored form. Modifies `object`.
 */
export function fromStorage(object: Autoscaler): void {
  const stored = copyJson(object);
  lower(object);
  const back = copyJson(object);
  toStorage(back);
  const exact = exactParts(stored);
  // The order and target types that v1 cannot represent are kept in an additional annotation.
  if (!equalJson(exactParts(back), exact)) writeAnnotation(object, 'exact', exact);
}

function lower(object: Autoscaler): void {
  object.apiVersion = 'autoscaling/v1';
  object.spec ??= {};
  object.status ??= {};
  const { spec, status } = object;
  const metrics = spec.metrics ?? [];
  const currentMetrics = status.currentMetrics ?? [];
  const target = metrics.find(isProcessorTarget);
  const others = metrics.filter(metric => !isProcessorTarget(metric)).map(metricToV1);
  const wanted = target && readTargetUtilization(target);
  if (wanted !== undefined) spec.targetCPUUtilizationPercentage = wanted;
  if (others.length > 0) writeAnnotation(object, 'metrics', others);
  if (spec.behavior !== undefined) writeAnnotation(object, 'behavior', spec.behavior);
  const current = currentMetrics.find(isProcessorReading);
  const utilization = current && readCurrentUtilization(current);
  if (utilization !== undefined) status.currentCPUUtilizationPercentage = utilization;
  // A field of version v1 already contains this single metric.
  if (!equalJson(currentMetrics, [processorReading(utilization ?? null)]) && currentMetrics.length > 0)
    writeAnnotation(object, 'currentMetrics', currentMetrics.map(metricStatusToV1));
  if (status.conditions && status.conditions.length > 0)
    writeAnnotation(object, 'conditions', status.conditions);
  for (const field of ['metrics', 'behavior'] as const) delete spec[field];
  for (const field of ['currentMetrics', 'conditions'] as const) delete status[field];
  status.currentReplicas ??= 0;
}

/** The CPU metric is the last one. */
function liftMetrics(object: Autoscaler, spec: Spec): void {
  const target = spec.targetCPUUtilizationPercentage;
  delete spec.targetCPUUtilizationPercentage;
  const metrics: MetricSpec[] = [];
  lift(object, 'metrics', value => metrics.push(...value.map(metricFromV1)));
  if (typeof target === 'number')
    metrics.push({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } },
    });
  if (metrics.length > 0) spec.metrics = metrics;
}

/** The CPU field takes precedence over the annotation. */
function liftCurrentMetrics(object: Autoscaler, status: Status): void {
  const utilization = status.currentCPUUtilizationPercentage;
  delete status.currentCPUUtilizationPercentage;
  const metrics: MetricStatus[] = [];
  lift(object, 'currentMetrics', value => metrics.push(...value.map(metricStatusFromV1)));
  if (typeof utilization === 'number') {
    const current = metrics.find(isProcessorReading)?.resource?.current;
    if (current) current.averageUtilization = utilization;
    else metrics.push(processorReading(utilization));
  }
  // Version v2 always contains the field.
  status.currentMetrics = metrics.length > 0 ? metrics : null;
}

function lift<N extends Annotation>(
  object: Autoscaler,
  annotation: N,
  apply: (value: AnnotationValues[N]) => void,
): void {
  const value = takeAnnotation(object, annotation);
  if (value !== undefined) apply(value);
}

interface Restoration {
  readonly spec: Spec;
  readonly status: Status;
  readonly exact: ExactMetrics;
}

/** Restores the exact v2 values unless the client changed the corresponding v1 values. */
function restoreExact({ spec, status, exact }: Restoration, before: V1Form): void {
  const { metrics, currentMetrics } = exact;
  const told: Autoscaler = {
    apiVersion: '',
    kind: '',
    metadata: {},
    spec: metrics === undefined ? {} : { metrics },
    status: currentMetrics === undefined ? {} : { currentMetrics },
  };
  lower(told);
  const now = readV1Form(told);
  if (equalJson(now.metrics, before.metrics)) {
    if (metrics === undefined) delete spec.metrics;
    else spec.metrics = metrics;
  }
  if (equalJson(now.currentMetrics, before.currentMetrics)) status.currentMetrics = currentMetrics ?? null;
}

type V1Form = { metrics: JsonValue; currentMetrics: JsonValue };

/** Returns all v1 values about metrics. */
function readV1Form(object: AutoscalerV1): V1Form {
  return {
    metrics: [object.spec?.targetCPUUtilizationPercentage ?? null, readAnnotation(object, 'metrics') ?? null],
    currentMetrics: [
      object.status?.currentCPUUtilizationPercentage ?? null,
      readAnnotation(object, 'currentMetrics') ?? null,
    ],
  };
}

function exactParts({ spec, status }: AutoscalerV2): ExactMetrics {
  const metrics = spec?.metrics;
  const currentMetrics = status?.currentMetrics ?? [];
  return { ...(metrics !== undefined && { metrics }), ...(currentMetrics.length > 0 && { currentMetrics }) };
}

function processorReading<T extends number | null>(averageUtilization: T) {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function isProcessorTarget(metric: MetricSpec): boolean {
  return isProcessorReading(metric) && readTargetUtilization(metric) !== undefined;
}

function isProcessorReading({ type, resource }: MetricSpec | MetricStatus): boolean {
  return type === 'Resource' && resource?.name === 'cpu';
}

/** Annotations may contain null for an absent number. */
function readTargetUtilization({ resource }: MetricSpec): number | undefined {
  return resource?.target?.averageUtilization ?? undefined;
}

function readCurrentUtilization({ resource }: MetricStatus): number | undefined {
  return resource?.current?.averageUtilization ?? undefined;
}
