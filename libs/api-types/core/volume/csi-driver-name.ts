import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  tooLongField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';

const longestName = 63;

/** Validates the name of a CSI driver: a DNS subdomain in any case, at most 63 characters. */
export function csiDriverNameErrors(name: string, path: FieldPath): FieldError[] {
  return [
    ...(name === '' ? [requiredField(path)] : []),
    ...(name.length > longestName ? [tooLongField(path, name, longestName)] : []),
    ...validateDnsSubdomain(name.toLowerCase()).map(message => invalidField(path, name, message)),
  ];
}
