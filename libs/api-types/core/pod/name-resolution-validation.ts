import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsSubdomain,
  validateIpAddress,
} from '@binnacle/api-objects';
import type { HostAlias, PodSpec } from '../../generated/core/v1.ts';

const mostNameservers = 3;
const mostSearches = 32;
const longestSearchList = 2048;

/** The findings about how the names of hosts are resolved in a pod. */
export function nameResolutionErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...hostAliasErrors(spec.hostAliases ?? [], path.child('hostAliases')),
    ...nameserverErrors(spec, path.child('dnsConfig', 'nameservers')),
    ...searchErrors(spec.dnsConfig?.searches ?? [], path.child('dnsConfig', 'searches')),
    ...(spec.dnsConfig?.options ?? []).flatMap((option, index) =>
      (option.name ?? '') === ''
        ? [requiredField(path.child('dnsConfig', 'options').index(index), 'must not be empty')]
        : [],
    ),
  ];
}

function hostAliasErrors(aliases: readonly HostAlias[], path: FieldPath): FieldError[] {
  return aliases.flatMap((alias, index) => {
    const at = path.index(index);
    const ip = alias.ip ?? '';
    return [
      ...validateIpAddress(ip).map(message => invalidField(at.child('ip'), ip, message)),
      ...(alias.hostnames ?? []).flatMap(host =>
        validateDnsSubdomain(host).map(message => invalidField(at.child('hostnames'), host, message)),
      ),
    ];
  });
}

function nameserverErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const servers = spec.dnsConfig?.nameservers ?? [];
  const errors = servers.flatMap((server, index) =>
    validateIpAddress(server).map(message => invalidField(path.index(index), server, message)),
  );
  if (servers.length > mostNameservers)
    errors.push(invalidField(path, servers, `must not have more than ${mostNameservers} nameservers`));
  if (spec.dnsPolicy === 'None' && servers.length === 0)
    errors.push(requiredField(path, "at least one nameserver is needed when `dnsPolicy` is 'None'"));
  return errors;
}

function searchErrors(searches: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > mostSearches)
    errors.push(invalidField(path, searches, `must not have more than ${mostSearches} search paths`));
  if (searches.join(' ').length > longestSearchList)
    errors.push(
      invalidField(
        path,
        searches,
        `must not have more than ${longestSearchList} characters, spaces included`,
      ),
    );
  for (const [index, search] of searches.entries())
    errors.push(
      ...validateDnsSubdomain(search.replace(/\.$/, '')).map(message =>
        invalidField(path.index(index), search, message),
      ),
    );
  return errors;
}
