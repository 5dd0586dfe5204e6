import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  tooManyField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asList, asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { isRepeated } from '../values/repeated-values.ts';

const mostRules = 20;
const mostExitCodes = 255;
const mostConditions = 20;
const conditionStatuses = ['False', 'True', 'Unknown'];

/** The findings about what a job does when a pod fails; `spec` is that of the job. */
export function podFailurePolicyErrors(spec: JsonObject, specPath: FieldPath): FieldError[] {
  const policy = asObject(spec['podFailurePolicy']);
  if (!policy) return [];
  const path = specPath.child('podFailurePolicy', 'rules');
  const rules = asObjects(policy['rules']);
  const podSpec = asObject(asObject(spec['template'])?.['spec']) ?? {};
  const containers = new Set(
    ['containers', 'initContainers'].flatMap(list =>
      asObjects(podSpec[list]).map(container => asText(container['name'])),
    ),
  );
  return [
    ...(rules.length > mostRules ? [tooManyField(path, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, path.index(index), containers)),
  ];
}

function ruleErrors(rule: JsonObject, path: FieldPath, containers: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  if (asText(rule['action']) === '') errors.push(requiredField(path.child('action')));
  const exitCodes = asObject(rule['onExitCodes']);
  const conditions = asObjects(rule['onPodConditions']);
  if (exitCodes) errors.push(...exitCodeErrors(exitCodes, path.child('onExitCodes'), containers));
  if (conditions.length > 0) errors.push(...conditionErrors(conditions, path.child('onPodConditions')));
  if (exitCodes && conditions.length > 0)
    errors.push(invalidField(path, rule, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!exitCodes && conditions.length === 0)
    errors.push(invalidField(path, rule, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function exitCodeErrors(
  requirement: JsonObject,
  path: FieldPath,
  containers: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const operator = asText(requirement['operator']);
  if (operator === '') errors.push(requiredField(path.child('operator')));
  const container = requirement['containerName'];
  if (typeof container === 'string' && !containers.has(container))
    errors.push(
      invalidField(
        path.child('containerName'),
        container,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  const at = path.child('values');
  const values = asList(requirement['values']).map(asNumber);
  if (values.length === 0) errors.push(invalidField(at, values, 'at least one value is required'));
  if (values.length > mostExitCodes) errors.push(tooManyField(at, values.length, mostExitCodes));
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      errors.push(invalidField(at.index(index), value, 'must not be 0 for the In operator'));
    if (isRepeated(values, index)) errors.push(duplicateField(at.index(index), value));
  }
  if (values.some((value, index) => index > 0 && value < values[index - 1]!))
    errors.push(invalidField(at, values, 'must be ordered'));
  return errors;
}

function conditionErrors(conditions: readonly JsonObject[], path: FieldPath): FieldError[] {
  const errors = conditions.flatMap((condition, index) => {
    const at = path.index(index);
    const type = asText(condition['type']);
    const status = asText(condition['status']);
    const found = validateQualifiedName(type).map(message => invalidField(at.child('type'), type, message));
    if (status === '') found.push(requiredField(at.child('status')));
    else if (!conditionStatuses.includes(status))
      found.push(notSupportedField(at.child('status'), status, conditionStatuses));
    return found;
  });
  if (conditions.length > mostConditions) errors.push(tooManyField(path, conditions.length, mostConditions));
  return errors;
}
