import {
  type ApiObject,
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  tooLongField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { isRepeated } from '../values/repeated-values.ts';

const reasonForm = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const longestReason = 1024;
const longestMessage = 32_768;
const statuses = ['False', 'True', 'Unknown'];

/**
 * The findings about status.conditions of an object (spec/3, Service status): one of each type, a known status,
 * the time of its last transition, a reason in one word.
 */
export function conditionsErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('status', 'conditions');
  const conditions = asObjects(asObject(object['status'])?.['conditions']);
  const types = conditions.map(condition => asText(condition['type']));
  return conditions.flatMap((condition, index) => {
    const at = path.index(index);
    const type = types[index] ?? '';
    return [
      ...(type === ''
        ? [requiredField(at.child('type'))]
        : validateQualifiedName(type).map(message => invalidField(at.child('type'), type, message))),
      ...(isRepeated(types, index) ? [duplicateField(at.child('type'), type)] : []),
      ...conditionErrors(condition, at),
    ];
  });
}

function conditionErrors(condition: JsonObject, path: FieldPath): FieldError[] {
  const status = asText(condition['status']);
  const generation = asNumber(condition['observedGeneration']);
  return [
    ...(statuses.includes(status) ? [] : [notSupportedField(path.child('status'), status, statuses)]),
    ...(generation < 0
      ? [invalidField(path.child('observedGeneration'), generation, 'must be greater than or equal to zero')]
      : []),
    ...(asText(condition['lastTransitionTime']) === ''
      ? [requiredField(path.child('lastTransitionTime'))]
      : []),
    ...reasonErrors(asText(condition['reason']), path.child('reason')),
    ...(asText(condition['message']).length > longestMessage
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
