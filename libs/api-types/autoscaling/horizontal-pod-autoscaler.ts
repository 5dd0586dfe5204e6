import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import type { KindRules, TableColumn } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asList, asNumber, asObject, asObjects, asText, ensureObject } from '../values/json-access.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import { annotations, dropAnnotations } from './annotations.ts';
import { autoscalerErrors } from './horizontal-pod-autoscaler-validation.ts';
import { metricsCell } from './metric-printing.ts';

/** The use of processors, in percent of what pods ask for, that is aimed at when the client names no metric. */
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
export const horizontalPodAutoscalerRules: KindRules = {
  applyDefaults: applyAutoscalerDefaults,
  validate: autoscalerErrors,
  columns: autoscalerColumns,
  cells: autoscalerCells,
};

/** The cells under `autoscalerColumns` for an object of version v2. */
export function autoscalerCells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  const status = asObject(object['status']) ?? {};
  const target = asObject(spec['scaleTargetRef']);
  const least = spec['minReplicas'];
  return [
    nameOf(object),
    `${asText(target?.['kind'])}/${asText(target?.['name'])}`,
    metricsCell(asObjects(spec['metrics']), asObjects(status['currentMetrics'])),
    typeof least === 'number' ? String(least) : '<unset>',
    asNumber(spec['maxReplicas']),
    asNumber(status['currentReplicas']),
    ageOf(object, now),
  ];
}

function applyAutoscalerDefaults(object: ApiObject): void {
  // Only version v1 speaks through these; here they would say what the fields say otherwise.
  dropAnnotations(object, Object.values(annotations));
  const spec = specOf(object);
  if (asList(spec['metrics']).length === 0)
    spec['metrics'] = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilizationByDefault } },
      },
    ];
  writeRequiredCounts(object, ['desiredReplicas']);
  const behavior = asObject(spec['behavior']);
  if (behavior) applyBehaviorDefaults(behavior);
}

/** Up at once, by four pods or to the double; down as far as need be. */
function applyBehaviorDefaults(behavior: JsonObject): void {
  const double = { type: 'Percent', value: 100, periodSeconds: 15 };
  const up = ensureObject(behavior, 'scaleUp');
  up['stabilizationWindowSeconds'] ??= 0;
  up['selectPolicy'] ??= 'Max';
  up['policies'] ??= [{ type: 'Pods', value: 4, periodSeconds: 15 }, { ...double }];
  const down = ensureObject(behavior, 'scaleDown');
  down['selectPolicy'] ??= 'Max';
  down['policies'] ??= [{ ...double }];
}
