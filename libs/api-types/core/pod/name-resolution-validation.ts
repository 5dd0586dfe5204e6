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
/** The limits of old resolvers, which containers may still use. */
const fewSearches = 6;
const shortSearchList = 256;

/** Validates the host name resolution of a pod. */
export function nameResolutionErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...hostAliasErrors(spec.hostAliases ?? [], path.child('hostAliases')),
    ...configErrors(spec, path.child('dnsConfig')),
  ];
}

/** kube-apiserver reports errors of an alias at the path of the list, without an index. */
function hostAliasErrors(aliases: readonly HostAlias[], path: FieldPath): FieldError[] {
  return aliases.flatMap(({ ip = '', hostnames = [] }) => [
    ...validateIpAddress(ip).map(message => invalidField(path.child('ip'), ip, message)),
    ...hostnames.flatMap(host =>
      validateDnsSubdomain(host).map(message => invalidField(path.child('hostnames'), host, message)),
    ),
  ]);
}

function configErrors({ dnsPolicy, dnsConfig: config }: PodSpec, path: FieldPath): FieldError[] {
  if (dnsPolicy === 'None') {
    if (!config) return [requiredField(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if ((config.nameservers ?? []).length === 0)
      return [
        requiredField(
          path.child('nameservers'),
          'must provide at least one DNS nameserver when `dnsPolicy` is None',
        ),
      ];
  }
  return [
    ...nameserverErrors(config?.nameservers ?? [], path.child('nameservers')),
    ...searchErrors(config?.searches ?? [], path.child('searches')),
    ...(config?.options ?? []).flatMap((option, index) =>
      (option.name ?? '') === ''
        ? [requiredField(path.child('options').index(index), 'must not be empty')]
        : [],
    ),
  ];
}

function nameserverErrors(servers: readonly string[], path: FieldPath): FieldError[] {
  const errors = servers.flatMap((server, index) =>
    validateIpAddress(server).map(message => invalidField(path.index(index), server, message)),
  );
  if (servers.length > mostNameservers)
    errors.push(invalidField(path, servers, `must not have more than ${mostNameservers} nameservers`));
  return errors;
}

/** Reports search paths that exceed the limits of old resolvers, but not those of new ones. */
export function longSearchErrors(searches: readonly string[], path: FieldPath): FieldError[] {
  const length = searches.join(' ').length;
  const errors: FieldError[] = [];
  if (searches.length > fewSearches && searches.length <= mostSearches)
    errors.push(tooManySearches(searches, fewSearches, path));
  if (length > shortSearchList && length <= longestSearchList)
    errors.push(tooLongSearches(searches, shortSearchList, path));
  return errors;
}

function tooManySearches(searches: readonly string[], most: number, path: FieldPath): FieldError {
  return invalidField(path, searches, `must not have more than ${most} search paths`);
}

function tooLongSearches(searches: readonly string[], longest: number, path: FieldPath): FieldError {
  return invalidField(path, searches, `must not have more than ${longest} characters, spaces included`);
}

function searchErrors(searches: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > mostSearches) errors.push(tooManySearches(searches, mostSearches, path));
  if (searches.join(' ').length > longestSearchList)
    errors.push(tooLongSearches(searches, longestSearchList, path));
  for (const [index, search] of searches.entries())
    errors.push(
      ...validateDnsSubdomain(search.replace(/\.$/, '')).map(message =>
        invalidField(path.index(index), search, message),
      ),
    );
  return errors;
}
