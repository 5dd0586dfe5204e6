import { type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from '../generated/autoscaling/v2.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { metricErrors } from './metric-validation.ts';
import { scalingRulesErrors } from './scaling-rules-validation.ts';
import { targetObjectErrors } from './target-object-validation.ts';

const spec$ = fieldPath('spec');

/** Validates an autoscaler of version v2. */
export function autoscalerErrors(object: HorizontalPodAutoscaler): FieldError[] {
  const spec = object.spec ?? {};
  const metrics$ = spec$.child('metrics');
  const behavior = spec.behavior ?? {};
  return [
    ...boundErrors(spec),
    ...targetObjectErrors(spec.scaleTargetRef ?? {}, spec$.child('scaleTargetRef')),
    ...(spec.metrics ?? []).flatMap((metric, index) => metricErrors(metric, metrics$.index(index))),
    ...(['scaleUp', 'scaleDown'] as const).flatMap(direction => {
      const rules = behavior[direction];
      return rules ? scalingRulesErrors(rules, spec$.child('behavior', direction)) : [];
    }),
  ];
}

/** Validates the status of an autoscaler. */
export function statusErrors({ status = {} }: Pick<HorizontalPodAutoscaler, 'status'>): FieldError[] {
  return nonNegativeErrors(status, ['currentReplicas', 'desiredReplicas'], fieldPath('status'));
}

function boundErrors(spec: HorizontalPodAutoscalerSpec): FieldError[] {
  const errors: FieldError[] = [];
  const least = spec.minReplicas;
  const most = spec.maxReplicas ?? 0;
  if (most < 1) errors.push(invalidField(spec$.child('maxReplicas'), most, 'must be greater than 0'));
  if (typeof least === 'number' && most < least)
    errors.push(
      invalidField(spec$.child('maxReplicas'), most, 'must be greater than or equal to `minReplicas`'),
    );
  return errors;
}
