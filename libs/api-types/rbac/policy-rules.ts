import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import type { PolicyRule, Role } from '../generated/rbac/v1.ts';

/** Validates the rules of a role; only cluster roles may contain `nonResourceURLs`. */
export function policyRuleErrors({ rules }: Role, namespaced: boolean): FieldError[] {
  const path = fieldPath('rules');
  return (rules ?? []).flatMap((rule, index) => ruleErrors(rule, namespaced, path.index(index)));
}

function ruleErrors(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (isEmpty(rule.verbs))
    errors.push(requiredField(path.child('verbs'), 'a rule must have at least one verb'));
  const nonResourceURLs = rule.nonResourceURLs ?? [];
  if (nonResourceURLs.length > 0) {
    const at = path.child('nonResourceURLs');
    if (namespaced)
      errors.push(invalidField(at, nonResourceURLs, 'a namespaced role cannot apply to non-resource URLs'));
    if ([rule.apiGroups, rule.resources, rule.resourceNames].some(list => !isEmpty(list)))
      errors.push(
        invalidField(at, nonResourceURLs, 'a rule applies either to resources or to non-resource URLs'),
      );
    return errors;
  }
  if (isEmpty(rule.apiGroups))
    errors.push(
      requiredField(path.child('apiGroups'), 'a rule for resources must name at least one API group'),
    );
  if (isEmpty(rule.resources))
    errors.push(
      requiredField(path.child('resources'), 'a rule for resources must name at least one resource'),
    );
  return errors;
}

/** Whether a list is empty; an unset list that is always present is null. */
function isEmpty(list: readonly string[] | null | undefined): boolean {
  return (list ?? []).length === 0;
}
