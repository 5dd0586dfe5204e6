import { copyJson } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../generated/autoscaling/v1.ts';
import type { HorizontalPodAutoscaler } from '../generated/autoscaling/v2.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  annotations,
  readAnnotation,
  restoreAnnotations,
  specAnnotations,
  statusAnnotations,
} from './annotations.ts';
import { fromStorage, toStorage } from './conversion.ts';
import { autoscalerCells, autoscalerColumns, utilizationByDefault } from './horizontal-pod-autoscaler.ts';
import { autoscalerErrors } from './horizontal-pod-autoscaler-validation.ts';

/**
 * The rules of HorizontalPodAutoscaler objects of version v1. What stands in annotations instead of fields is
 * treated as the fields would be: those of the status change with the status only.
 */
export const horizontalPodAutoscalerV1Rules: KindRules<AutoscalerV1> = {
  conversion: { toStorage, fromStorage },
  applyDefaults(object) {
    writeRequiredCounts(object, ['currentReplicas', 'desiredReplicas']);
    if (object.spec && readAnnotation(object, annotations.metrics) === undefined)
      object.spec.targetCPUUtilizationPercentage ??= utilizationByDefault;
  },
  prepareForCreate: object => restoreAnnotations(object, { ...object, metadata: {} }, statusAnnotations),
  prepareForUpdate: (object, old, subresource) =>
    restoreAnnotations(object, old, subresource === 'status' ? specAnnotations : statusAnnotations),
  validate: object => inStoredForm(object, autoscalerErrors),
  columns: autoscalerColumns,
  cells: (object, now) => inStoredForm(object, stored => autoscalerCells(stored, now)),
};

function inStoredForm<T>(object: AutoscalerV1, use: (stored: HorizontalPodAutoscaler) => T): T {
  const stored = copyJson(object);
  toStorage(stored);
  return use(stored);
}
