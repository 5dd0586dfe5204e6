import { understood } from '@binnacle/api-names';

const [own = '', ...others] = understood.domains.groups.map(domain => `.${domain}`);

/** The other name by which a group of this API is found; undefined for one that has none. */
export function aliasOfGroup(group: string): string | undefined {
  const [alias] = others;
  return alias !== undefined && group.endsWith(own) ? group.slice(0, -own.length) + alias : undefined;
}
