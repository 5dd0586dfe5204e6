import {
  type ApiObject,
  type FieldError,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import { asObject } from '../values/json-access.ts';
import { amountOfCountOrShare, countOrShareErrors, nonNegativeErrors } from '../values/number-validation.ts';
import { workloadSelectorErrors, workloadTemplateErrors } from './workload-validation.ts';

const spec$ = fieldPath('spec');

/** The findings about a daemon set; closed sets of values are checked elsewhere. */
export function daemonSetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...workloadSelectorErrors(spec, 'DaemonSet'),
    ...workloadTemplateErrors(spec, { kind: 'DaemonSet', replicas: 2 }),
    ...nonNegativeErrors(spec, ['minReadySeconds', 'revisionHistoryLimit'], spec$),
    ...updateStrategyErrors(asObject(spec['updateStrategy']) ?? {}),
  ];
}

/** Either machines are left without a pod for a while, or they run two of them. */
function updateStrategyErrors(strategy: JsonObject): FieldError[] {
  if (strategy['type'] !== 'RollingUpdate') return [];
  const path = spec$.child('updateStrategy', 'rollingUpdate');
  const rollingUpdate = asObject(strategy['rollingUpdate']);
  if (!rollingUpdate) return [requiredField(path)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...countOrShareErrors(maxUnavailable, path.child('maxUnavailable'), 100),
    ...countOrShareErrors(maxSurge, path.child('maxSurge'), 100),
  ];
  const takesAway = amountOfCountOrShare(maxUnavailable) !== 0;
  const adds = amountOfCountOrShare(maxSurge) !== 0;
  if (takesAway && adds)
    errors.push(
      invalidField(path.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero'),
    );
  if (!takesAway && !adds)
    errors.push(requiredField(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
  return errors;
}
