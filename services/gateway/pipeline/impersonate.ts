import { groups } from '@binnacle/api-names';
import { validateDnsLabel, validateDnsSubdomain } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import { type Access, type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { User } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseExtraKey } from '../request/extra-key.ts';
import { type HeaderValues, removeHeaders } from '../request/remove-headers.ts';
import {
  anonymousName,
  authenticatedGroup,
  parseServiceAccount,
  serviceAccountGroups,
  unauthenticatedGroup,
} from '../request/users.ts';

/**
 * Lets a user who may do so act as another one (`Impersonate-User` and the like). Removes the headers, and keeps the request's
 * own user as its impersonator.
 */
export function impersonate(
  exchange: Exchange,
  authorizer: Pick<Authorizer, 'authorize'>,
): void | Promise<void> {
  const headers = removeHeaders(exchange.request, isImpersonating);
  const impersonation = headers && impersonationFrom(headers);
  return impersonation && actAs(exchange, impersonation, authorizer);
}

async function actAs(
  exchange: Exchange,
  impersonation: Impersonation,
  authorizer: Pick<Authorizer, 'authorize'>,
): Promise<void> {
  const { user, call } = exchange;
  for (const access of impersonation.required) {
    if (!(await isAllowed(authorizer, { user, access, call }))) throw denial(user, access);
  }
  exchange.impersonator = user;
  exchange.user = impersonation.user;
}

function isImpersonating(name: string): boolean {
  return name.startsWith('impersonate-');
}

/** The right to take on one part of an identity. */
type ImpersonationAccess = Extract<Access, { readonly kind: 'resource' }>;

/** The user that a request wants to act as, and the accesses that its own user needs for that. */
interface Impersonation {
  readonly user: User;
  readonly required: readonly ImpersonationAccess[];
}

const extraPrefix = 'impersonate-extra-';

/**
 * Reads the `Impersonate-*` headers; undefined without a user among them. The first value of a user or a uid counts, and
 * every value of a group or an extra key, also an empty one. Throws BadRequest for groups, a uid or extra values without a
 * user.
 */
export function impersonationFrom(headers: HeaderValues): Impersonation | undefined {
  const username = headers['impersonate-user']?.[0] ?? '';
  const identity = {
    groups: headers['impersonate-group'] ?? [],
    extra: extraFrom(headers),
    uid: headers['impersonate-uid']?.[0] ?? '',
  };
  const others = [
    ...identity.groups.map(group => impersonationAccess('groups', group)),
    ...extraAccess(identity.extra),
    ...(identity.uid === ''
      ? []
      : [impersonationAccess('uids', identity.uid, { group: groups.authentication })]),
  ];
  if (username === '') {
    if (others.length > 0)
      throw badRequest(`requested ${describeParts(others)} without impersonating a user`);
    return undefined;
  }
  const account = parseAccount(username);
  const self = account
    ? impersonationAccess('serviceaccounts', account.name, { namespace: account.namespace })
    : impersonationAccess('users', username);
  return {
    user: {
      username,
      uid: identity.uid,
      groups: impersonatedGroups(username, identity.groups),
      extra: identity.extra,
    },
    required: [self, ...others],
  };
}

/** The list of parts in a message: `[groups "devs", uids "1"]`. */
function describeParts(parts: readonly ImpersonationAccess[]): string {
  const texts = parts.map(({ resource, subresource, name }) =>
    [resource, ...(subresource === '' ? [] : [subresource])].join('/').concat(` ${JSON.stringify(name)}`),
  );
  return `[${texts.join(', ')}]`;
}

function extraAccess(extra: User['extra']): ImpersonationAccess[] {
  return Object.entries(extra).flatMap(([key, values]) =>
    values.map(value =>
      impersonationAccess('userextras', value, { group: groups.authentication, subresource: key }),
    ),
  );
}

function impersonationAccess(
  resource: string,
  name: string,
  more: { group?: string; subresource?: string; namespace?: string } = {},
): ImpersonationAccess {
  const { group = '', subresource = '', namespace = '' } = more;
  return { kind: 'resource', verb: 'impersonate', group, resource, subresource, namespace, name };
}

/** The namespace and name of a service account; undefined for other users, and for names that no account can have. */
function parseAccount(username: string): { namespace: string; name: string } | undefined {
  const account = parseServiceAccount(username);
  if (account === undefined) return undefined;
  const isPossible =
    validateDnsLabel(account.namespace).length === 0 && validateDnsSubdomain(account.name).length === 0;
  return isPossible ? account : undefined;
}

/** The requested groups, or those of a service account, and that of all authenticated or unauthenticated users. */
function impersonatedGroups(username: string, requested: readonly string[]): string[] {
  const account = parseAccount(username);
  const groups = requested.length === 0 && account ? serviceAccountGroups(account.namespace) : [...requested];
  if (groups.includes(unauthenticatedGroup)) return groups;
  const closing = username === anonymousName ? unauthenticatedGroup : authenticatedGroup;
  return groups.includes(closing) ? groups : [...groups, closing];
}

/** The extra values; those of headers whose decoded keys are equal are joined. */
function extraFrom(headers: HeaderValues): Record<string, string[]> {
  const extra: Record<string, string[]> = Object.create(null);
  for (const header in headers) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = parseExtraKey(header.slice(extraPrefix.length));
    extra[key] = [...(extra[key] ?? []), ...(headers[header] ?? [])];
  }
  return extra;
}
