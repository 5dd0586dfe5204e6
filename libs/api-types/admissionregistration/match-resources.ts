import {
  duplicateField,
  type FieldError,
  type FieldPath,
  type JsonObject,
  requiredField,
  validateLabelSelector,
} from '@binnacle/api-objects';
import { canonicalGroup } from '../group-names/canonical-group.ts';
import { asObject, asObjects, asTexts } from '../values/json-access.ts';
import { isRepeated } from '../values/repeated-values.ts';
import { webhookRuleErrors } from './webhook-rules.ts';

const ruleLists = ['resourceRules', 'excludeResourceRules'];

/** Writes the groups of the rules by their canonical names, so that requests are matched by one name only. */
export function canonicalizeMatchGroups(resources: JsonObject | undefined): void {
  for (const rule of ruleLists.flatMap(list => asObjects(resources?.[list]))) {
    if (Array.isArray(rule['apiGroups'])) rule['apiGroups'] = asTexts(rule['apiGroups']).map(canonicalGroup);
  }
}

/** The findings about what a policy, or its binding, applies to. */
export function matchResourcesErrors(resources: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...['namespaceSelector', 'objectSelector'].flatMap(field => {
      const selector = asObject(resources[field]);
      return selector ? validateLabelSelector(selector, path.child(field)) : [];
    }),
    ...ruleLists.flatMap(list =>
      asObjects(resources[list]).flatMap((rule, index) =>
        namedRuleErrors(rule, path.child(list).index(index)),
      ),
    ),
  ];
}

function namedRuleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const names = asTexts(rule['resourceNames']);
  return [
    ...names.flatMap((name, index) => {
      const at = path.child('resourceNames').index(index);
      if (name === '') return [requiredField(at)];
      return isRepeated(names, index) ? [duplicateField(at, name)] : [];
    }),
    ...webhookRuleErrors(rule, path),
  ];
}
