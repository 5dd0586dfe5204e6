import type { User } from './api-request.ts';

/** The group of all authenticated users. */
export const authenticatedGroup = 'system:authenticated';
/** The group of unauthenticated users. */
export const unauthenticatedGroup = 'system:unauthenticated';
/** The group whose members may do everything. */
export const mastersGroup = 'system:masters';
/** The username of requests without credentials. */
export const anonymousName = 'system:anonymous';

/** The user of a request without credentials. */
export const anonymousUser: User = {
  username: anonymousName,
  uid: '',
  groups: [unauthenticatedGroup],
  extra: {},
};

/** A user with `system:authenticated` among the groups, once. */
export function authenticated(user: User): User {
  if (user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}

const serviceAccountPrefix = 'system:serviceaccount:';

/** The namespace and name in a service account's user name; undefined for other users. */
export function parseServiceAccount(username: string): { namespace: string; name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace, name, more] = username.slice(serviceAccountPrefix.length).split(':');
  if (!namespace || !name || more !== undefined) return undefined;
  return { namespace, name };
}

/** The groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
