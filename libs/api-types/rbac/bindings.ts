import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  type JsonValue,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/definitions.ts';
import { canonicalGroup } from '../group-names/canonical-group.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf, wideColumn } from '../printing/columns.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';

const rbacGroup = 'rbac.authorization.cluster.io';

/** Gives subjects the group of their kind, and writes groups in their canonical spelling. */
export function applyBindingDefaults(object: ApiObject): void {
  const roleRef = asObject(object['roleRef']);
  if (typeof roleRef?.['apiGroup'] === 'string') roleRef['apiGroup'] = canonicalGroup(roleRef['apiGroup']);
  for (const subject of asObjects(object['subjects'])) {
    const group = asText(subject['apiGroup']);
    const isPerson = subject['kind'] === 'User' || subject['kind'] === 'Group';
    if (group !== '') subject['apiGroup'] = canonicalGroup(group);
    else if (isPerson) subject['apiGroup'] = rbacGroup;
  }
}

/** The findings about a binding: `roleKinds` are the kinds that its roleRef may name. */
export function bindingErrors(
  object: ApiObject,
  options: { readonly roleKinds: readonly string[]; readonly namespaced: boolean },
): FieldError[] {
  const path = fieldPath('subjects');
  return [
    ...roleRefErrors(asObject(object['roleRef']) ?? {}, options.roleKinds),
    ...asObjects(object['subjects']).flatMap((subject, index) =>
      subjectErrors(subject, options.namespaced, path.index(index)),
    ),
  ];
}

/** The findings about a change of what a binding grants. */
export function roleRefChangeErrors(object: ApiObject, old: ApiObject): FieldError[] {
  if (equalJson(object['roleRef'], old['roleRef'])) return [];
  return [invalidField('roleRef', object['roleRef'] ?? null, 'cannot change roleRef')];
}

/** The columns of bindings. */
export const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  column('Role', 'The role that is granted.'),
  ageColumn,
  wideColumn('Users', 'Users that the role is granted to.'),
  wideColumn('Groups', 'Groups that the role is granted to.'),
  wideColumn('ServiceAccounts', 'Service accounts that the role is granted to.'),
];

/** The cells under `bindingColumns`. */
export function bindingCells(object: ApiObject, now: number): JsonValue[] {
  const roleRef = asObject(object['roleRef']);
  const subjects = asObjects(object['subjects']);
  const names = (kind: string) => subjects.filter(subject => subject['kind'] === kind);
  const text = (subject: JsonObject) => asText(subject['name']);
  return [
    nameOf(object),
    `${asText(roleRef?.['kind'])}/${asText(roleRef?.['name'])}`,
    ageOf(object, now),
    names('User').map(text).join(', '),
    names('Group').map(text).join(', '),
    names('ServiceAccount')
      .map(subject => `${asText(subject['namespace'])}/${text(subject)}`)
      .join(', '),
  ];
}

function roleRefErrors(roleRef: JsonObject, kinds: readonly string[]): FieldError[] {
  const path = fieldPath('roleRef');
  const errors: FieldError[] = [];
  const group = asText(roleRef['apiGroup']);
  if (group !== rbacGroup) errors.push(notSupportedField(path.child('apiGroup'), group, [rbacGroup]));
  const kind = asText(roleRef['kind']);
  if (!kinds.includes(kind)) errors.push(notSupportedField(path.child('kind'), kind, kinds));
  const name = asText(roleRef['name']);
  if (name === '') errors.push(requiredField(path.child('name')));
  else
    errors.push(
      ...validatePathSegmentName(name).map(message => invalidField(path.child('name'), name, message)),
    );
  return errors;
}

function subjectErrors(subject: JsonObject, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const name = asText(subject['name']);
  const group = asText(subject['apiGroup']);
  if (name === '') errors.push(requiredField(path.child('name')));
  switch (subject['kind']) {
    case 'ServiceAccount':
      if (name !== '')
        errors.push(
          ...validateDnsSubdomain(name).map(message => invalidField(path.child('name'), name, message)),
        );
      if (group !== '') errors.push(notSupportedField(path.child('apiGroup'), group, ['']));
      if (!namespaced && asText(subject['namespace']) === '')
        errors.push(requiredField(path.child('namespace')));
      return errors;
    case 'User':
    case 'Group':
      if (group !== rbacGroup) errors.push(notSupportedField(path.child('apiGroup'), group, [rbacGroup]));
      return errors;
    default:
      errors.push(
        notSupportedField(path.child('kind'), subject['kind'] ?? '', ['Group', 'ServiceAccount', 'User']),
      );
      return errors;
  }
}
