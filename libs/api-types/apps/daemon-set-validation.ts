import {
  type FieldError,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import { replicatedTemplateErrors } from '../core/pod-template/pod-template-validation.ts';
import { selectorFrom } from '../core/selectors/label-selector-validation.ts';
import type { DaemonSet, DaemonSetUpdateStrategy } from '../generated/apps/v1.ts';
import { amountOfCountOrShare, countOrShareErrors, nonNegativeErrors } from '../values/number-validation.ts';
import { workloadSelectorErrors } from './workload-validation.ts';

const spec$ = fieldPath('spec');

/** Validates a daemon set. */
export function daemonSetErrors(object: DaemonSet): FieldError[] {
  const spec = object.spec ?? {};
  return [
    ...(spec.selector ? workloadSelectorErrors(spec, 'DaemonSet') : []),
    ...replicatedTemplateErrors(spec.template ?? {}, {
      kind: 'DaemonSet',
      replicas: 2,
      selector: selectorFrom(spec.selector, spec$.child('selector')),
      path: spec$.child('template'),
    }),
    ...nonNegativeErrors(spec, ['minReadySeconds', 'revisionHistoryLimit'], spec$),
    ...updateStrategyErrors(spec.updateStrategy ?? {}),
  ];
}

/** Exactly one of maxUnavailable and maxSurge must be non-zero. */
function updateStrategyErrors({ type, rollingUpdate }: DaemonSetUpdateStrategy): FieldError[] {
  const strategy$ = spec$.child('updateStrategy');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupportedField(strategy$, type, ['OnDelete', 'RollingUpdate'])];
  const path = strategy$.child('rollingUpdate');
  if (!rollingUpdate) return [requiredField(path)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...countOrShareErrors(maxUnavailable, path.child('maxUnavailable'), 100),
    ...countOrShareErrors(maxSurge, path.child('maxSurge'), 100),
  ];
  const removes = amountOfCountOrShare(maxUnavailable) !== 0;
  const adds = amountOfCountOrShare(maxSurge) !== 0;
  if (removes && adds)
    errors.push(
      invalidField(path.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero'),
    );
  if (!removes && !adds)
    errors.push(requiredField(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
  return errors;
}
