import { domains, understood } from '@binnacle/api-names';

const aliasDomain = understood.domains.groups.find(domain => domain !== domains.groups);
/** The suffix of group aliases; undefined if there are none. */
const aliasEnd = aliasDomain === undefined ? undefined : `.${aliasDomain}`;
const ownEnd = `.${domains.groups}`;

/** Converts a group alias to the canonical name; returns other names unchanged. Only `cluster` has aliases. */
export function canonicalGroup(group: string): string {
  if (aliasEnd === undefined || !group.endsWith(aliasEnd)) return group;
  return group.slice(0, -aliasEnd.length) + ownEnd;
}

/** Converts a group alias in an apiVersion to the canonical name. */
export function canonicalApiVersion(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? apiVersion : canonicalGroup(apiVersion.slice(0, slash)) + apiVersion.slice(slash);
}

/** Returns the alias of a group; undefined if it has none. */
export function aliasOfGroup(group: string): string | undefined {
  if (aliasEnd === undefined || !group.endsWith(ownEnd)) return undefined;
  return group.slice(0, -ownEnd.length) + aliasEnd;
}
