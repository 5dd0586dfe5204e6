import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { canonicalGroup } from '../group-names/canonical-group.ts';
import { asList, asObjects, asTexts } from '../values/json-access.ts';

/** Writes the groups of all rules in their canonical spelling, so that authorization compares one spelling only. */
export function canonicalizeRuleGroups(object: ApiObject): void {
  for (const rule of asObjects(object['rules'])) {
    if (Array.isArray(rule['apiGroups'])) rule['apiGroups'] = asTexts(rule['apiGroups']).map(canonicalGroup);
  }
}

/** The findings about the rules of a role; only cluster roles may speak of paths (`nonResourceURLs`). */
export function policyRuleErrors(object: ApiObject, namespaced: boolean): FieldError[] {
  const path = fieldPath('rules');
  return asObjects(object['rules']).flatMap((rule, index) => ruleErrors(rule, namespaced, path.index(index)));
}

function ruleErrors(rule: JsonObject, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (isEmpty(rule['verbs']))
    errors.push(requiredField(path.child('verbs'), 'a rule must have at least one verb'));
  if (!isEmpty(rule['nonResourceURLs'])) {
    const at = path.child('nonResourceURLs');
    if (namespaced)
      errors.push(
        invalidField(at, rule['nonResourceURLs'], 'a namespaced role cannot apply to non-resource URLs'),
      );
    if (['apiGroups', 'resources', 'resourceNames'].some(field => !isEmpty(rule[field])))
      errors.push(
        invalidField(
          at,
          rule['nonResourceURLs'],
          'a rule applies either to resources or to non-resource URLs',
        ),
      );
    return errors;
  }
  if (isEmpty(rule['apiGroups']))
    errors.push(
      requiredField(path.child('apiGroups'), 'a rule for resources must name at least one API group'),
    );
  if (isEmpty(rule['resources']))
    errors.push(
      requiredField(path.child('resources'), 'a rule for resources must name at least one resource'),
    );
  return errors;
}

function isEmpty(value: unknown): boolean {
  return asList(value).length === 0;
}
