import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type { RuleWithOperations } from '../generated/admissionregistration/v1.ts';

/** Validates one rule: all its parts are required, and `*` must be the only entry of its list. */
export function webhookRuleErrors(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  return [
    ...namedErrors(rule.operations ?? [], path.child('operations')),
    ...namedErrors(rule.apiGroups ?? [], path.child('apiGroups')),
    ...namedErrors(rule.apiVersions ?? [], path.child('apiVersions')),
    ...emptyNames(rule.apiVersions ?? [], path.child('apiVersions')),
    ...resourceErrors(rule.resources ?? [], path.child('resources')),
  ];
}

function namedErrors(values: readonly string[], path: FieldPath): FieldError[] {
  if (values.length === 0) return [requiredField(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalidField(path, values, "'*' must be the only value")];
}

function emptyNames(values: readonly string[], path: FieldPath): FieldError[] {
  return values.flatMap((value, index) => (value === '' ? [requiredField(path.index(index))] : []));
}

/**
 * A wildcard must not be combined with entries that it covers: all resources, all subresources of a resource, or one subresource
 * of all resources.
 */
function resourceErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [requiredField(path)];
  const errors = emptyNames(resources, path);
  const isCovered = resources.includes('*/*') && resources.length > 1;
  if (isCovered) return [...errors, invalidField(path, resources, "'*/*' must be the only value")];
  if (resources.includes('*') && resources.some(entry => entry !== '*' && !entry.includes('/')))
    errors.push(invalidField(path, resources, "'*' already covers the other resources"));
  const wholes = new Set(resources.filter(entry => entry.endsWith('/*')).map(entry => entry.split('/')[0]));
  const parts = new Set(resources.filter(entry => entry.startsWith('*/')).map(entry => entry.split('/')[1]));
  for (const [index, entry] of resources.entries()) {
    const [resource, part] = entry.split('/');
    if (part === undefined) continue;
    if (resource !== '*' && parts.has(part))
      errors.push(invalidField(path.index(index), entry, `'*/${part}' already covers this entry`));
    else if (part !== '*' && wholes.has(resource))
      errors.push(invalidField(path.index(index), entry, `'${resource}/*' already covers this entry`));
  }
  return errors;
}
