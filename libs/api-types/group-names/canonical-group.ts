import { domains, understood } from '@binnacle/api-names';

/** The domains of aliases, with the dot before them. */
const aliasDomains = understood.domains.groups
  .filter(domain => domain !== domains.groups)
  .map(domain => `.${domain}`);

/** Turns an alias of a group into its name in this API; other names come back as they are. Only `cluster` has aliases. */
export function canonicalGroup(group: string): string {
  for (const domain of aliasDomains)
    if (group.endsWith(domain)) return `${group.slice(0, -domain.length)}.${domains.groups}`;
  return group;
}

/** The same for the group in an apiVersion. */
export function canonicalApiVersion(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? apiVersion : canonicalGroup(apiVersion.slice(0, slash)) + apiVersion.slice(slash);
}
