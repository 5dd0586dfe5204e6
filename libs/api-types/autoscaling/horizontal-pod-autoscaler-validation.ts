import {
  type ApiObject,
  type FieldError,
  fieldPath,
  invalidField,
  type JsonObject,
} from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import { asNumber, asObject, asObjects } from '../values/json-access.ts';
import { metricErrors } from './metric-validation.ts';
import { scalingRulesErrors } from './scaling-rules-validation.ts';
import { targetObjectErrors } from './target-object-validation.ts';

const spec$ = fieldPath('spec');

/** The findings about an autoscaler of version v2. */
export function autoscalerErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const metrics$ = spec$.child('metrics');
  const behavior = asObject(spec['behavior']) ?? {};
  return [
    ...boundErrors(spec),
    ...targetObjectErrors(asObject(spec['scaleTargetRef']) ?? {}, spec$.child('scaleTargetRef')),
    ...asObjects(spec['metrics']).flatMap((metric, index) => metricErrors(metric, metrics$.index(index))),
    ...['scaleUp', 'scaleDown'].flatMap(direction => {
      const rules = asObject(behavior[direction]);
      return rules ? scalingRulesErrors(rules, spec$.child('behavior', direction)) : [];
    }),
  ];
}

function boundErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const least = spec['minReplicas'];
  const most = asNumber(spec['maxReplicas']);
  if (typeof least === 'number' && least < 1)
    errors.push(invalidField(spec$.child('minReplicas'), least, 'must be greater than or equal to 1'));
  if (most < 1) errors.push(invalidField(spec$.child('maxReplicas'), most, 'must be greater than 0'));
  if (typeof least === 'number' && most < least)
    errors.push(
      invalidField(spec$.child('maxReplicas'), most, 'must be greater than or equal to `minReplicas`'),
    );
  return errors;
}
