import { groups, understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonValue,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/kind-rules.ts';
import type { RoleBinding, RoleRef, Subject } from '../generated/rbac/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../printing/columns.ts';
import { isSameReference } from './same-reference.ts';

const groupNames = understood.groups.rbac;

/** Sets the omitted API group of roleRef and of subjects other than service accounts to the group name of the request. */
export function nameBindingGroups({ roleRef, subjects }: RoleBinding, group: string): void {
  if (roleRef && (roleRef.apiGroup ?? '') === '') roleRef.apiGroup = group;
  for (const subject of subjects ?? []) {
    const { apiGroup = '', kind } = subject;
    if (apiGroup === '' && (kind === 'User' || kind === 'Group')) subject.apiGroup = group;
  }
}

/** Sets omitted API groups of a binding that does not come from a request. */
export function applyBindingDefaults(binding: RoleBinding): void {
  nameBindingGroups(binding, groups.rbac);
}

/** Validates a binding: `roleKinds` are the kinds allowed in roleRef. */
export function bindingErrors(
  { roleRef, subjects }: RoleBinding,
  options: { readonly roleKinds: readonly string[]; readonly namespaced: boolean },
): FieldError[] {
  const path = fieldPath('subjects');
  return [
    ...roleRefErrors(roleRef ?? {}, options.roleKinds),
    ...(subjects ?? []).flatMap((subject, index) =>
      subjectErrors(subject, options.namespaced, path.index(index)),
    ),
  ];
}

/** Validates that roleRef does not change. A reference by a group alias is the same reference. */
export function roleRefChangeErrors(object: RoleBinding, old: RoleBinding): FieldError[] {
  if (isSameReference(object.roleRef, old.roleRef)) return [];
  return [invalidField('roleRef', object.roleRef ?? null, 'cannot change roleRef')];
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
export function bindingCells(object: RoleBinding, now: number): JsonValue[] {
  const { roleRef } = object;
  const subjects = object.subjects ?? [];
  const named = (kind: string) => subjects.filter(subject => subject.kind === kind);
  const text = ({ name = '' }: Subject) => name;
  return [
    nameCell(object),
    `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    ageCell(object, now),
    named('User').map(text).join(', '),
    named('Group').map(text).join(', '),
    named('ServiceAccount')
      .map(({ namespace = '', name = '' }) => `${namespace}/${name}`)
      .join(', '),
  ];
}

function roleRefErrors(
  { apiGroup = '', kind = '', name = '' }: RoleRef,
  kinds: readonly string[],
): FieldError[] {
  const path = fieldPath('roleRef');
  const errors: FieldError[] = [];
  if (!groupNames.includes(apiGroup))
    errors.push(notSupportedField(path.child('apiGroup'), apiGroup, groupNames));
  if (!kinds.includes(kind)) errors.push(notSupportedField(path.child('kind'), kind, kinds));
  if (name === '') errors.push(requiredField(path.child('name')));
  else
    errors.push(
      ...validatePathSegmentName(name).map(message => invalidField(path.child('name'), name, message)),
    );
  return errors;
}

function subjectErrors(subject: Subject, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { kind = '', name = '', apiGroup: group = '', namespace = '' } = subject;
  if (name === '') errors.push(requiredField(path.child('name')));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        errors.push(
          ...validateDnsSubdomain(name).map(message => invalidField(path.child('name'), name, message)),
        );
      if (group !== '') errors.push(notSupportedField(path.child('apiGroup'), group, ['']));
      if (!namespaced && namespace === '') errors.push(requiredField(path.child('namespace')));
      return errors;
    case 'User':
    case 'Group':
      if (!groupNames.includes(group))
        errors.push(notSupportedField(path.child('apiGroup'), group, groupNames));
      return errors;
    default:
      errors.push(notSupportedField(path.child('kind'), kind, ['Group', 'ServiceAccount', 'User']));
      return errors;
  }
}
