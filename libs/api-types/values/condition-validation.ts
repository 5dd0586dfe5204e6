import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Condition } from '../generated/meta/v1.ts';
import { isRepeated } from './repeated-values.ts';

const reasonForm = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const longestReason = 1024;
const longestMessage = 32_768;
const statuses = ['False', 'True', 'Unknown'];

/**
 * Validates status.conditions (spec/3, Service status): unique types, a known status, a transition time, and a reason of one
 * word.
 */
export function conditionsErrors(conditions: readonly Condition[]): FieldError[] {
  const path = fieldPath('status', 'conditions');
  const types = conditions.map(condition => condition.type ?? '');
  return conditions.flatMap((condition, index) => {
    const at = path.index(index);
    const type = types[index] ?? '';
    return [
      ...(isRepeated(types, index) ? [duplicateField(at.child('type'), type)] : []),
      ...validateQualifiedName(type).map(message => invalidField(at.child('type'), type, message)),
      ...conditionErrors(condition, at),
    ];
  });
}

function conditionErrors(condition: Condition, path: FieldPath): FieldError[] {
  const { status = '', observedGeneration = 0 } = condition;
  return [
    ...(statuses.includes(status) ? [] : [notSupportedField(path.child('status'), status, statuses)]),
    ...(observedGeneration < 0
      ? [
          invalidField(
            path.child('observedGeneration'),
            observedGeneration,
            'must be greater than or equal to zero',
          ),
        ]
      : []),
    ...((condition.lastTransitionTime ?? '') === '' ? [requiredField(path.child('lastTransitionTime'))] : []),
    ...reasonErrors(condition.reason ?? '', path.child('reason')),
    ...((condition.message ?? '').length > longestMessage
      ? [tooLongField(path.child('message'), '', longestMessage)]
      : []),
  ];
}

function reasonErrors(reason: string, path: FieldPath): FieldError[] {
  if (reason === '') return [requiredField(path)];
  if (reason.length > longestReason) return [tooLongField(path, '', longestReason)];
  return reasonForm.test(reason)
    ? []
    : [invalidField(path, reason, 'must be one word in CamelCase that begins with a letter')];
}
