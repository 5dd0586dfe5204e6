import { domains, understood } from '@binnacle/api-names';

const aliasDomain = understood.domains.groups.find(domain => domain !== domains.groups);
/** The end of the alias of a group; undefined where there are no aliases. */
const aliasEnd = aliasDomain === undefined ? undefined : `.${aliasDomain}`;
const ownEnd = `.${domains.groups}`;

/** Turns an alias of a group into its name in this API; other names come back as they are. Only `cluster` has aliases. */
export function canonicalGroup(group: string): string {
  if (aliasEnd === undefined || !group.endsWith(aliasEnd)) return group;
  return group.slice(0, -aliasEnd.length) + ownEnd;
}

/** The same for the group in an apiVersion. */
export function canonicalApiVersion(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? apiVersion : canonicalGroup(apiVersion.slice(0, slash)) + apiVersion.slice(slash);
}

/** The alias of a group of this API; undefined for a group that has none. */
export function aliasOfGroup(group: string): string | undefined {
  if (aliasEnd === undefined || !group.endsWith(ownEnd)) return undefined;
  return group.slice(0, -ownEnd.length) + aliasEnd;
}
