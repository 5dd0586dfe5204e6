import { type ApiObject, copyJson, equalJson, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { asObject, asObjects, asText, ensureObject } from '../values/json-access.ts';
import {
  type AnnotationName,
  annotations,
  readAnnotation,
  takeAnnotation,
  writeAnnotation,
} from './annotations.ts';
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from './metric-conversion.ts';

/**
 * Turns an autoscaler of version v1 into the stored form, version v2. The use of processors, which is all
 * that v1 has fields for, becomes a metric; what v1 carries in annotations goes to the fields it stands for.
 * An annotation that cannot be read stays where it is. Changes `object`.
 */
export function toStorage(object: ApiObject): void {
  const exact = takeAnnotation(object, annotations.exact);
  const before = exact === undefined ? undefined : v1FormOf(object);
  object.apiVersion = 'autoscaling/v2';
  const spec = ensureObject(object, 'spec');
  const status = ensureObject(object, 'status');
  // Version v2 leaves it out when it is 0.
  if (status['currentReplicas'] === 0) delete status['currentReplicas'];
  liftMetrics(object, spec);
  lift(object, annotations.behavior, value => {
    spec['behavior'] = value;
  });
  liftCurrentMetrics(object, status);
  lift(object, annotations.conditions, value => {
    status['conditions'] = value;
  });
  if (before) restoreExact({ spec, status, exact: asObject(exact) ?? {} }, before);
}

/**
 * Turns the stored form, version v2, into an autoscaler of version v1: the target for processors in its
 * field, all else in annotations, so that `toStorage` gives back what was stored. Changes `object`.
 */
export function fromStorage(object: ApiObject): void {
  const stored = copyJson(object);
  lower(object);
  const back = copyJson(object);
  toStorage(back);
  const exact = exactParts(stored);
  // Orders and types of targets that v1 cannot tell are kept as they are beside it.
  if (!equalJson(exactParts(back), exact)) writeAnnotation(object, annotations.exact, exact);
}

function lower(object: ApiObject): void {
  object.apiVersion = 'autoscaling/v1';
  const spec = ensureObject(object, 'spec');
  const status = ensureObject(object, 'status');
  const metrics = asObjects(spec['metrics']);
  const currentMetrics = asObjects(status['currentMetrics']);
  const target = metrics.find(isProcessorTarget);
  const others = metrics.filter(metric => !isProcessorTarget(metric)).map(metricToV1);
  if (target) spec['targetCPUUtilizationPercentage'] = utilizationOf(target, 'target') ?? null;
  if (others.length > 0) writeAnnotation(object, annotations.metrics, others);
  if (spec['behavior'] !== undefined) writeAnnotation(object, annotations.behavior, spec['behavior']);
  const current = currentMetrics.find(isProcessorReading);
  const utilization = current && utilizationOf(current, 'current');
  if (utilization !== undefined) status['currentCPUUtilizationPercentage'] = utilization;
  // A field of version v1 says as much as this one metric does.
  if (!equalJson(currentMetrics, [processorReading(utilization ?? null)]) && currentMetrics.length > 0)
    writeAnnotation(object, annotations.currentMetrics, currentMetrics.map(metricStatusToV1));
  if (asObjects(status['conditions']).length > 0)
    writeAnnotation(object, annotations.conditions, status['conditions'] ?? []);
  for (const field of ['metrics', 'behavior']) delete spec[field];
  for (const field of ['currentMetrics', 'conditions']) delete status[field];
  status['currentReplicas'] ??= 0;
}

/** The other metrics come first, that of the processors last. */
function liftMetrics(object: ApiObject, spec: JsonObject): void {
  const target = spec['targetCPUUtilizationPercentage'];
  delete spec['targetCPUUtilizationPercentage'];
  const metrics: JsonObject[] = [];
  lift(object, annotations.metrics, value => metrics.push(...asObjects(value).map(metricFromV1)));
  if (typeof target === 'number')
    metrics.push({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } },
    });
  if (metrics.length > 0) spec['metrics'] = metrics;
}

/** What the field says of the processors counts more than what the annotation says. */
function liftCurrentMetrics(object: ApiObject, status: JsonObject): void {
  const utilization = status['currentCPUUtilizationPercentage'];
  delete status['currentCPUUtilizationPercentage'];
  const metrics: JsonObject[] = [];
  lift(object, annotations.currentMetrics, value =>
    metrics.push(...asObjects(value).map(metricStatusFromV1)),
  );
  if (typeof utilization === 'number') {
    const current = asObject(asObject(metrics.find(isProcessorReading)?.['resource'])?.['current']);
    if (current) current['averageUtilization'] = utilization;
    else metrics.push(processorReading(utilization));
  }
  // Version v2 always shows the field.
  status['currentMetrics'] = metrics.length > 0 ? metrics : null;
}

function lift(object: ApiObject, annotation: AnnotationName, apply: (value: JsonValue) => void): void {
  const value = takeAnnotation(object, annotation);
  if (value !== undefined) apply(value);
}

interface Restoration {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly exact: JsonObject;
}

/** What was kept beside v1 holds as long as the client changed nothing that it says more exactly. */
function restoreExact({ spec, status, exact }: Restoration, before: JsonObject): void {
  const told = { apiVersion: '', kind: '', metadata: {}, spec: {}, status: {} } as ApiObject;
  setOrClear(ensureObject(told, 'spec'), 'metrics', exact['metrics']);
  setOrClear(ensureObject(told, 'status'), 'currentMetrics', exact['currentMetrics']);
  lower(told);
  const now = v1FormOf(told);
  if (equalJson(now['metrics'], before['metrics'])) setOrClear(spec, 'metrics', exact['metrics']);
  if (equalJson(now['currentMetrics'], before['currentMetrics']))
    status['currentMetrics'] = exact['currentMetrics'] ?? null;
}

/** All that a v1 object says of metrics. */
function v1FormOf(object: ApiObject): JsonObject {
  return {
    metrics: [
      asObject(object['spec'])?.['targetCPUUtilizationPercentage'] ?? null,
      readAnnotation(object, annotations.metrics) ?? null,
    ],
    currentMetrics: [
      asObject(object['status'])?.['currentCPUUtilizationPercentage'] ?? null,
      readAnnotation(object, annotations.currentMetrics) ?? null,
    ],
  };
}

function exactParts(object: ApiObject): JsonObject {
  const metrics = asObject(object['spec'])?.['metrics'];
  const currentMetrics = asObjects(asObject(object['status'])?.['currentMetrics']);
  return { ...(metrics !== undefined && { metrics }), ...(currentMetrics.length > 0 && { currentMetrics }) };
}

function setOrClear(parent: JsonObject, field: string, value: JsonValue | undefined): void {
  if (value !== undefined) parent[field] = value;
  else delete parent[field];
}

function processorReading(averageUtilization: number | null): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function isProcessorTarget(metric: JsonObject): boolean {
  return isProcessorReading(metric) && utilizationOf(metric, 'target') !== undefined;
}

function isProcessorReading(metric: JsonObject): boolean {
  return metric['type'] === 'Resource' && asText(asObject(metric['resource'])?.['name']) === 'cpu';
}

function utilizationOf(metric: JsonObject, part: 'target' | 'current'): number | undefined {
  const value = asObject(asObject(metric['resource'])?.[part])?.['averageUtilization'];
  return typeof value === 'number' ? value : undefined;
}
