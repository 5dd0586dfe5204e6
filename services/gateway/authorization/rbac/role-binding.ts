import type { RoleBinding, Subject } from '@binnacle/api-types/rbac/v1';
import type { User } from '../../request/api-request.ts';

/** A RoleBinding or ClusterRoleBinding, parsed for look-up by its subjects. */
export interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  /** "" for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly roleKind: 'Role' | 'ClusterRole';
  readonly roleName: string;
  /** Keys as `subjectKeysFromUser` gives them for users. */
  readonly subjects: readonly string[];
}

/** Reads a binding; a binding to a role that does not exist grants nothing. */
export function bindingFrom(kind: Binding['kind'], object: RoleBinding): Binding {
  const { metadata, roleRef, subjects = [] } = object;
  const { namespace = '', name = '' } = metadata;
  return {
    kind,
    namespace: kind === 'RoleBinding' ? namespace : '',
    name,
    roleKind: roleRef?.kind === 'Role' ? 'Role' : 'ClusterRole',
    roleName: roleRef?.name ?? '',
    subjects: subjects.flatMap(subject => subjectKey(subject, namespace)),
  };
}

/** The keys under which a user's bindings are found. */
export function subjectKeysFromUser(user: User): string[] {
  return [`User:${user.username}`, ...user.groups.map(group => `Group:${group}`)];
}

/** The kind and name of a subject key, for messages. */
export function describeSubject(key: string): string {
  const colon = key.indexOf(':');
  return `${key.slice(0, colon)} ${JSON.stringify(key.slice(colon + 1))}`;
}

function subjectKey({ kind, name = '', namespace = '' }: Subject, bindingNamespace: string): string[] {
  switch (kind) {
    case 'User':
    case 'Group':
      return [`${kind}:${name}`];
    case 'ServiceAccount': {
      const own = namespace || bindingNamespace;
      return own === '' ? [] : [`User:system:serviceaccount:${own}:${name}`];
    }
    default:
      return [];
  }
}
