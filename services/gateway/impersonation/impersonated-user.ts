import { badRequest } from '@binnacle/status-errors';
import type { Access } from '../authorization/authorizer.ts';
import type { User } from '../request/api-request.ts';
import {
  anonymousName,
  authenticatedGroup,
  serviceAccountGroups,
  serviceAccountOf,
  unauthenticatedGroup,
} from '../request/users.ts';

/** Whom a request wants to act as, and what its own user must be allowed to do for that. */
interface Impersonation {
  readonly user: User;
  readonly required: readonly Access[];
}

const extraPrefix = 'impersonate-extra-';
const authenticationGroup = 'authentication.cluster.io';

/**
 * Reads the `Impersonate-*` headers; undefined without any. Throws BadRequest for groups, a uid or extra values
 * without a user.
 */
export function impersonationFrom(
  headers: Readonly<Record<string, string[] | undefined>>,
): Impersonation | undefined {
  const username = headers['impersonate-user']?.[0] ?? '';
  const groups = headers['impersonate-group'] ?? [];
  const uid = headers['impersonate-uid']?.[0] ?? '';
  const extra = extraFrom(headers);
  const hasMore = groups.length > 0 || uid !== '' || Object.keys(extra).length > 0;
  if (username === '') {
    if (hasMore)
      throw badRequest('groups, a uid or extra values can only be impersonated together with a user');
    return undefined;
  }
  return {
    user: { username, uid, groups: groupsOf(username, groups), extra },
    required: [...identityAccess(username, groups), ...extraAccess(extra), ...uidAccess(uid)],
  };
}

function identityAccess(username: string, groups: readonly string[]): Access[] {
  const account = serviceAccountOf(username);
  const user = account
    ? impersonate('serviceaccounts', account.name, { namespace: account.namespace })
    : impersonate('users', username);
  return [user, ...groups.map(group => impersonate('groups', group))];
}

function uidAccess(uid: string): Access[] {
  return uid === '' ? [] : [impersonate('uids', uid, { group: authenticationGroup })];
}

function extraAccess(extra: User['extra']): Access[] {
  return Object.entries(extra).flatMap(([key, values]) =>
    values.map(value => impersonate('userextras', value, { group: authenticationGroup, subresource: key })),
  );
}

function impersonate(
  resource: string,
  name: string,
  more: { group?: string; subresource?: string; namespace?: string } = {},
): Access {
  const { group = '', subresource = '', namespace = '' } = more;
  return { kind: 'resource', verb: 'impersonate', group, resource, subresource, namespace, name };
}

/** The requested groups, or those of a service account, and that of all authenticated or unauthenticated users. */
function groupsOf(username: string, asked: readonly string[]): string[] {
  const account = serviceAccountOf(username);
  const groups = asked.length === 0 && account ? serviceAccountGroups(account.namespace) : [...asked];
  if (groups.includes(unauthenticatedGroup)) return groups;
  const closing = username === anonymousName ? unauthenticatedGroup : authenticatedGroup;
  return groups.includes(closing) ? groups : [...groups, closing];
}

function extraFrom(headers: Readonly<Record<string, string[] | undefined>>): Record<string, string[]> {
  const extra: Record<string, string[]> = Object.create(null);
  for (const [header, values] of Object.entries(headers)) {
    if (values !== undefined && header.startsWith(extraPrefix) && header.length > extraPrefix.length) {
      extra[keyOf(header.slice(extraPrefix.length))] = values;
    }
  }
  return extra;
}

/** Keys may be escaped, for a header's name cannot hold every mark. */
function keyOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
