import {
  type ApiObject,
  duplicateField,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { isRepeated } from '../values/repeated-values.ts';
import { certificateChainFault, certificateRequestFault } from './certificate-request.ts';
import { signerNameErrors } from './signer-name.ts';

const minSeconds = 600;
const specPath = fieldPath('spec');
const conditionsPath = fieldPath('status', 'conditions');
const certificatePath = fieldPath('status', 'certificate');
const decisions = ['Approved', 'Denied'];
/** Conditions that say what happened: they are there or they are not. */
const marks = [...decisions, 'Failed'];
const statuses = ['False', 'True', 'Unknown'];

/** The findings about a new signing request. */
export function signingRequestErrors(object: ApiObject): FieldError[] {
  const spec = asObject(object['spec']) ?? {};
  const seconds = spec['expirationSeconds'];
  const fault = certificateRequestFault(Buffer.from(asText(spec['request']), 'base64'));
  const requestPath = specPath.child('request');
  return [
    ...(asText(spec['request']) === ''
      ? [requiredField(requestPath)]
      : fault === undefined
        ? []
        : [invalidField(requestPath, spec['request'], fault)]),
    ...usageErrors(asTexts(spec['usages']), specPath.child('usages')),
    ...signerNameErrors(asText(spec['signerName']), specPath.child('signerName')),
    ...(typeof seconds === 'number' && seconds < minSeconds
      ? [
          invalidField(
            specPath.child('expirationSeconds'),
            seconds,
            `may not specify a duration less than ${minSeconds} seconds (10 minutes)`,
          ),
        ]
      : []),
    ...conditionErrors(object),
  ];
}

/** The findings about an update through the request itself, its status or its approval. */
export function signingRequestUpdateErrors(
  object: ApiObject,
  old: ApiObject,
  subresource: string,
): FieldError[] {
  if (subresource === '') return [];
  const before = conditionsOf(old);
  const after = conditionsOf(object);
  const lost = marks.filter(type => has(before, type) && !has(after, type));
  const errors = lost.map(type =>
    forbiddenField(conditionsPath, `updates may not remove a condition of type "${type}"`),
  );
  if (subresource !== 'approval') errors.push(...decisionErrors(before, after));
  errors.push(...certificateErrors(object, old), ...conditionErrors(object));
  return errors;
}

function usageErrors(usages: readonly string[], path: FieldPath): FieldError[] {
  if (usages.length === 0) return [requiredField(path, 'usages are required')];
  return usages.flatMap((usage, index) =>
    isRepeated(usages, index) ? [duplicateField(path.index(index), usage)] : [],
  );
}

function decisionErrors(before: readonly JsonObject[], after: readonly JsonObject[]): FieldError[] {
  return decisions
    .filter(type => !has(before, type) && has(after, type))
    .map(type =>
      forbiddenField(conditionsPath, `a condition of type "${type}" can be added through approval only`),
    );
}

function certificateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [before, after] = [old, object].map(({ status }) => asText(asObject(status)?.['certificate']));
  if (before === after) return [];
  if (before !== '')
    return [forbiddenField(certificatePath, 'updates may not modify or remove existing certificate content')];
  const fault = certificateChainFault(Buffer.from(after ?? '', 'base64'));
  return fault === undefined ? [] : [invalidField(certificatePath, '<certificate data>', fault)];
}

function conditionErrors(object: ApiObject): FieldError[] {
  const conditions = conditionsOf(object);
  const types = conditions.map(condition => condition['type']);
  const errors = conditions.flatMap((condition, index) => {
    const path = conditionsPath.index(index);
    const type = asText(condition['type']);
    return [
      ...(type === '' ? [requiredField(path.child('type'))] : []),
      ...conditionStatusErrors(type, asText(condition['status']), path.child('status')),
      ...(isRepeated(types, index) ? [duplicateField(path.child('type'), type)] : []),
    ];
  });
  if (decisions.every(type => has(conditions, type)))
    errors.push(
      invalidField(conditionsPath, decisions, 'Approved and Denied conditions are mutually exclusive'),
    );
  return errors;
}

function conditionStatusErrors(type: string, status: string, path: FieldPath): FieldError[] {
  if (status === '') return [requiredField(path)];
  const allowed = marks.includes(type) ? ['True'] : statuses;
  return allowed.includes(status) ? [] : [notSupportedField(path, status, allowed)];
}

function conditionsOf(object: ApiObject): JsonObject[] {
  return asObjects(asObject(object['status'])?.['conditions']);
}

function has(conditions: readonly JsonObject[], type: string): boolean {
  return conditions.some(condition => condition['type'] === type);
}

/** The conditions after a write to the status: those that decide stay as they were (`old`), whatever was sent. */
export function keepDecisions(conditions: readonly JsonObject[], old: readonly JsonObject[]): JsonObject[] {
  return conditions.map(condition => {
    const earlier = old.find(other => other['type'] === condition['type']);
    const isDecision = decisions.includes(asText(condition['type']));
    return isDecision && earlier && !equalJson(earlier, condition) ? earlier : condition;
  });
}
