import {
  type FieldError,
  type FieldPath,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { HPAScalingPolicy, HPAScalingRules } from '../generated/autoscaling/v2.ts';

const longestWindow = 3600;
const longestPeriod = 1800;
const selections = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** Validates the scaling rules of one direction. */
export function scalingRulesErrors(rules: HPAScalingRules, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const window = rules.stabilizationWindowSeconds;
  const window$ = path.child('stabilizationWindowSeconds');
  if (typeof window === 'number' && window < 0)
    errors.push(invalidField(window$, window, 'must be greater than or equal to zero'));
  if (typeof window === 'number' && window > longestWindow)
    errors.push(invalidField(window$, window, `must be less than or equal to ${longestWindow}`));
  const selection = rules.selectPolicy;
  if (typeof selection === 'string' && !selections.includes(selection))
    errors.push(notSupportedField(path.child('selectPolicy'), selection, selections));
  const policies = rules.policies ?? [];
  const policies$ = path.child('policies');
  if (policies.length === 0) errors.push(requiredField(policies$, 'must specify at least one Policy'));
  return [...errors, ...policies.flatMap((policy, index) => policyErrors(policy, policies$.index(index)))];
}

function policyErrors(policy: HPAScalingPolicy, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const type = policy.type ?? '';
  if (!policyTypes.includes(type)) errors.push(notSupportedField(path.child('type'), type, policyTypes));
  for (const field of ['value', 'periodSeconds'] as const) {
    const value = policy[field] ?? 0;
    if (value <= 0) errors.push(invalidField(path.child(field), value, 'must be greater than zero'));
  }
  const period = policy.periodSeconds ?? 0;
  if (period > longestPeriod)
    errors.push(
      invalidField(path.child('periodSeconds'), period, `must be less than or equal to ${longestPeriod}`),
    );
  return errors;
}
