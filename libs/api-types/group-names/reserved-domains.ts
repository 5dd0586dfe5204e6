import { understood } from '@binnacle/api-names';

/** The domains whose names belong to this API, in every alias that is understood. */
const reservedDomains: readonly string[] = [
  ...new Set([...understood.domains.groups, ...understood.domains.labels]),
];

/** Whether a name is a domain that belongs to this API, or stands below one. */
export function isInReservedDomain(name: string): boolean {
  return reservedDomains.some(domain => isInDomain(name, domain));
}

/** Whether a name is a domain or stands below it. */
export function isInDomain(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
