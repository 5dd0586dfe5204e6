import { copyJson } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { HorizontalPodAutoscaler as AutoscalerV1, MetricSpec } from '../generated/autoscaling/v1.ts';
import type { HorizontalPodAutoscaler } from '../generated/autoscaling/v2.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  changeAnnotation,
  readAnnotation,
  reconcileNames,
  restoreAnnotations,
  specAnnotations,
  statusAnnotations,
} from './annotations.ts';
import { fromStorage, toStorage } from './conversion.ts';
import { autoscalerCells, autoscalerColumns, utilizationByDefault } from './horizontal-pod-autoscaler.ts';
import { autoscalerErrors, statusErrors } from './horizontal-pod-autoscaler-validation.ts';
import { atLeastOneRules, scaleToZeroRules } from './least-replicas-rules.ts';

/**
 * The rules of HorizontalPodAutoscaler objects of version v1. Annotations that replace fields follow the rules of the fields:
 * status annotations change with the status only.
 */
export const horizontalPodAutoscalerV1Rules: KindRules<AutoscalerV1> = {
  conversion: { toStorage, fromStorage },
  gatedRules: [
    { gate: 'HPAContainerMetrics', off: { dropFields: dropContainerMetrics } },
    { gate: 'HPAScaleToZero', on: scaleToZeroRules, off: atLeastOneRules },
  ],
  applyDefaults(object) {
    writeRequiredCounts(object, ['currentReplicas', 'desiredReplicas']);
    applyTarget(object);
  },
  prepareForCreate: object => restoreAnnotations(object, { ...object, metadata: {} }, statusAnnotations),
  prepareForUpdate(object, old, subresource) {
    restoreAnnotations(object, old, subresource === 'status' ? specAnnotations : statusAnnotations);
    reconcileNames(object, old);
    // An autoscaler without metrics gets the default target.
    applyTarget(object);
  },
  validateUpdate: (object, _old, subresource) => (subresource === 'status' ? statusErrors(object) : []),
  validate: object => inStoredForm(object, autoscalerErrors),
  columns: autoscalerColumns,
  cells: (object, now) => inStoredForm(object, stored => autoscalerCells(stored, now)),
};

function applyTarget(object: AutoscalerV1): void {
  if (object.spec && readAnnotation(object, 'metrics') === undefined)
    object.spec.targetCPUUtilizationPercentage ??= utilizationByDefault;
}

/** Clears the metrics of single containers, which v1 stores in an annotation, like the v2 field. */
function dropContainerMetrics(object: AutoscalerV1, old: AutoscalerV1 | undefined): void {
  if (old && (readAnnotation(old, 'metrics') ?? []).some(hasContainerMetric)) return;
  // The names may differ until it is known which one the client changed.
  changeAnnotation(object, 'metrics', metrics => {
    if (!metrics.some(hasContainerMetric)) return false;
    for (const metric of metrics) delete metric.containerResource;
    return true;
  });
}

function hasContainerMetric({ containerResource }: MetricSpec): boolean {
  return containerResource !== undefined;
}

function inStoredForm<T>(object: AutoscalerV1, use: (stored: HorizontalPodAutoscaler) => T): T {
  const stored = copyJson(object);
  toStorage(stored);
  return use(stored);
}
