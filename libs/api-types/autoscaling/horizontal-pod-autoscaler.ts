import type { JsonValue } from '@binnacle/api-objects';
import type { KindRules, TableColumn } from '../definitions/kind-rules.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  MetricSpec,
  MetricStatus,
} from '../generated/autoscaling/v2.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import { allAnnotations, dropAnnotations } from './annotations.ts';
import { autoscalerErrors, statusErrors } from './horizontal-pod-autoscaler-validation.ts';
import { atLeastOneRules, scaleToZeroRules } from './least-replicas-rules.ts';
import { metricSources } from './metric-validation.ts';

/** Default target CPU utilization, in percent of the requested CPU of pods. */
export const utilizationByDefault = 80;

/** The columns of autoscalers in both versions. */
export const autoscalerColumns: readonly TableColumn[] = [
  nameColumn,
  column('Reference', 'What is scaled.'),
  column('Targets', 'The observed and the desired figures of each metric.'),
  column('MinPods', 'How many pods there are at least.'),
  column('MaxPods', 'How many pods there are at most.'),
  column('Replicas', 'How many pods there are.'),
  ageColumn,
];

/** The rules of HorizontalPodAutoscaler objects of version v2. */
export const horizontalPodAutoscalerRules: KindRules<HorizontalPodAutoscaler> = {
  gatedFields: [{ gate: 'HPAContainerMetrics', paths: ['spec.metrics[].containerResource'] }],
  gatedRules: [{ gate: 'HPAScaleToZero', on: scaleToZeroRules, off: atLeastOneRules }],
  applyDefaults: applyAutoscalerDefaults,
  validate: autoscalerErrors,
  validateUpdate: (object, _old, subresource) => (subresource === 'status' ? statusErrors(object) : []),
  columns: autoscalerColumns,
  cells: autoscalerCells,
};

/** The cells under `autoscalerColumns` for an object of version v2. */
export function autoscalerCells(object: HorizontalPodAutoscaler, now: number): JsonValue[] {
  const { spec = {}, status = {} } = object;
  const { scaleTargetRef: target, minReplicas: least } = spec;
  return [
    nameCell(object),
    `${target?.kind ?? ''}/${target?.name ?? ''}`,
    metricsCell(spec.metrics ?? [], status.currentMetrics ?? []),
    typeof least === 'number' ? String(least) : '<unset>',
    spec.maxReplicas ?? 0,
    status.currentReplicas ?? 0,
    ageCell(object, now),
  ];
}

function applyAutoscalerDefaults(object: HorizontalPodAutoscaler): void {
  // Only version v1 uses these annotations; in v2 they could contradict the fields.
  dropAnnotations(object, allAnnotations);
  const spec = object.spec ?? {};
  if ((spec.metrics ?? []).length === 0)
    spec.metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilizationByDefault } },
      },
    ];
  writeRequiredCounts(object, ['desiredReplicas']);
  if (spec.behavior) applyBehaviorDefaults(spec.behavior);
}

/** Default behavior: scale up immediately by four pods or 100 %, whichever is more; scale down without a limit. */
function applyBehaviorDefaults(behavior: HorizontalPodAutoscalerBehavior): void {
  const double = { type: 'Percent', value: 100, periodSeconds: 15 };
  behavior.scaleUp ??= {};
  const { scaleUp: up } = behavior;
  up.stabilizationWindowSeconds ??= 0;
  up.selectPolicy ??= 'Max';
  up.policies ??= [{ type: 'Pods', value: 4, periodSeconds: 15 }, { ...double }];
  behavior.scaleDown ??= {};
  const { scaleDown: down } = behavior;
  down.selectPolicy ??= 'Max';
  down.policies ??= [{ ...double }];
}

const mostShown = 2;

/** Formats current and target values of the first two metrics, and the number of further ones. */
function metricsCell(metrics: readonly MetricSpec[], observed: readonly MetricStatus[]): string {
  if (metrics.length === 0) return '<none>';
  const shown = metrics.slice(0, mostShown).map((metric, index) => metricText(metric, observed[index]));
  const more = metrics.length - shown.length;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function metricText(metric: MetricSpec, observed: MetricStatus | undefined): string {
  const source = metricSources.get(metric.type ?? '');
  const target = (source && metric[source]?.target) ?? {};
  const current = (source && observed?.[source]?.current) ?? {};
  const figures = (field: 'value' | 'averageValue') =>
    `${current[field] || '<unknown>'}/${target[field] || '<unknown>'}`;
  switch (metric.type) {
    case 'External':
    case 'Object':
      return target.averageValue === undefined ? figures('value') : `${figures('averageValue')} (avg)`;
    case 'Pods':
      return figures('averageValue');
    case 'Resource':
    case 'ContainerResource':
      if (target.averageValue !== undefined) return figures('averageValue');
      return `${percent(current.averageUtilization, '<unknown>')}/${percent(target.averageUtilization, '<auto>')}`;
    default:
      return '<unknown type>';
  }
}

function percent(value: number | undefined, otherwise: string): string {
  return typeof value === 'number' ? `${value}%` : otherwise;
}
