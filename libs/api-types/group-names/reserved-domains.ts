import { understood } from '@binnacle/api-names';

/** The domains reserved for this API, in all understood aliases. */
const reservedDomains: readonly string[] = [
  ...new Set([...understood.domains.groups, ...understood.domains.labels]),
];

/** Whether a name is a reserved domain or a subdomain of one. */
export function isInReservedDomain(name: string): boolean {
  return reservedDomains.some(domain => isInDomain(name, domain));
}

/** Whether a name is a domain or a subdomain of it. */
export function isInDomain(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
