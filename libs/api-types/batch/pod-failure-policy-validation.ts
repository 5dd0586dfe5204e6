import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  tooManyField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../generated/batch/v1.ts';
import { isRepeated } from '../values/repeated-values.ts';

const mostRules = 20;
const mostExitCodes = 255;
const mostConditions = 20;
const conditionStatuses = ['False', 'True', 'Unknown'];

/** Validates the pod failure policy of a job; `spec` is that of the job. */
export function podFailurePolicyErrors(spec: JobSpec, specPath: FieldPath): FieldError[] {
  const { podFailurePolicy: policy } = spec;
  if (!policy) return [];
  const path = specPath.child('podFailurePolicy', 'rules');
  const rules = policy.rules ?? [];
  const podSpec = spec.template?.spec ?? {};
  const containers = new Set(
    (['containers', 'initContainers'] as const).flatMap(list =>
      (podSpec[list] ?? []).map(({ name = '' }) => name),
    ),
  );
  return [
    ...(rules.length > mostRules ? [tooManyField(path, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, path.index(index), containers)),
  ];
}

function ruleErrors(
  rule: PodFailurePolicyRule,
  path: FieldPath,
  containers: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if ((rule.action ?? '') === '') errors.push(requiredField(path.child('action')));
  const { onExitCodes: exitCodes } = rule;
  const conditions = rule.onPodConditions ?? [];
  if (exitCodes) errors.push(...exitCodeErrors(exitCodes, path.child('onExitCodes'), containers));
  if (conditions.length > 0) errors.push(...conditionErrors(conditions, path.child('onPodConditions')));
  if (exitCodes && conditions.length > 0)
    errors.push(invalidField(path, rule, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!exitCodes && conditions.length === 0)
    errors.push(invalidField(path, rule, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function exitCodeErrors(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  path: FieldPath,
  containers: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const { operator, containerName: container } = requirement;
  if ((operator ?? '') === '') errors.push(requiredField(path.child('operator')));
  if (container !== undefined && !containers.has(container))
    errors.push(
      invalidField(
        path.child('containerName'),
        container,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  const at = path.child('values');
  const values = requirement.values ?? [];
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

function conditionErrors(
  conditions: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: FieldPath,
): FieldError[] {
  const errors = conditions.flatMap(({ type = '', status = '' }, index) => {
    const at = path.index(index);
    const found = validateQualifiedName(type).map(message => invalidField(at.child('type'), type, message));
    if (status === '') found.push(requiredField(at.child('status')));
    else if (!conditionStatuses.includes(status))
      found.push(notSupportedField(at.child('status'), status, conditionStatuses));
    return found;
  });
  if (conditions.length > mostConditions) errors.push(tooManyField(path, conditions.length, mostConditions));
  return errors;
}
