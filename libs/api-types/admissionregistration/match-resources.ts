import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  validateLabelSelector,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { MatchResources, NamedRuleWithOperations } from '../generated/admissionregistration/v1alpha1.ts';
import { isRepeated } from '../values/repeated-values.ts';
import { webhookRuleErrors } from './webhook-rules.ts';

const ruleLists = ['resourceRules', 'excludeResourceRules'] as const;

/** Validates the resources that a policy or binding matches. */
export function matchResourcesErrors(resources: MatchResources, path: FieldPath): FieldError[] {
  return [
    ...(['namespaceSelector', 'objectSelector'] as const).flatMap(field => {
      const selector = resources[field];
      return selector ? validateLabelSelector(selector, path.child(field)) : [];
    }),
    ...ruleLists.flatMap(list =>
      (resources[list] ?? []).flatMap((rule, index) => namedRuleErrors(rule, path.child(list).index(index))),
    ),
  ];
}

function namedRuleErrors(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const names = rule.resourceNames ?? [];
  return [
    ...names.flatMap((name, index) => {
      const at = path.child('resourceNames').index(index);
      return [
        ...validatePathSegmentName(name).map(message => invalidField(at, name, message)),
        ...(isRepeated(names, index) ? [duplicateField(at, name)] : []),
      ];
    }),
    ...webhookRuleErrors(rule, path),
  ];
}
