import {
  type ApiObject,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
} from '@binnacle/api-objects';
import type { ConditionalRules } from '../definitions/gated-rules.ts';

/** The fields of an autoscaler, in any version, that these rules use. */
interface Scaler extends ApiObject {
  spec?: { minReplicas?: number; metrics?: { type?: string }[] };
}

const spec$ = fieldPath('spec');

/** The rules while scaling to zero is disabled; existing autoscalers with minReplicas 0 keep it. */
export const atLeastOneRules: ConditionalRules<Scaler> = {
  validateCreate: object => lowerBoundErrors(object, 1),
  validateUpdate: (object, old, subresource) =>
    subresource === '' ? lowerBoundErrors(object, old.spec?.minReplicas === 0 ? 0 : 1) : [],
};

/** The rules while scaling to zero is enabled. */
export const scaleToZeroRules: ConditionalRules<Scaler> = {
  validateCreate: object => lowerBoundErrors(object, 0),
  validateUpdate: (object, _old, subresource) => (subresource === '' ? lowerBoundErrors(object, 0) : []),
};

function lowerBoundErrors({ spec = {} }: Scaler, bound: number): FieldError[] {
  const { minReplicas: least, metrics } = spec;
  if (least === undefined) return [];
  if (least < bound)
    return [invalidField(spec$.child('minReplicas'), least, `must be greater than or equal to ${bound}`)];
  // Pod metrics require pods. Version v1 has its metrics in an annotation.
  if (least > 0 || metrics === undefined) return [];
  if (metrics.some(({ type }) => type === 'Object' || type === 'External')) return [];
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbiddenField(spec$.child('metrics'), why)];
}
