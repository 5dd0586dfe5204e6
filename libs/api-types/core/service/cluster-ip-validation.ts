import {
  duplicateField,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  validateIpAddress,
} from '@binnacle/api-objects';
import type { ServiceSpec } from '../../generated/core/v1.ts';
import { isRepeated } from '../../values/repeated-values.ts';
import { ipFamilyFromAddress } from '../addresses/ip-addresses.ts';

const clusterIPs = fieldPath('spec', 'clusterIPs');
const ipFamilies = fieldPath('spec', 'ipFamilies');
const ipFamilyPolicy = fieldPath('spec', 'ipFamilyPolicy');

/** Validates that clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy are consistent. */
export function clusterIPErrors(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return externalNameErrors(spec);
  const addresses = spec.clusterIPs ?? [];
  const families = spec.ipFamilies ?? [];
  return [
    ...familyErrors(families),
    ...policyErrors(spec, addresses, families),
    ...singleErrors(spec.clusterIP ?? '', addresses),
    ...addressErrors(addresses, families),
  ];
}

function externalNameErrors(spec: ServiceSpec): FieldError[] {
  const forbidden = 'may not be set for ExternalName services';
  const errors: FieldError[] = [];
  if ((spec.clusterIP ?? '') !== '' || (spec.clusterIPs ?? []).length > 0)
    errors.push(forbiddenField(clusterIPs, forbidden));
  if ((spec.ipFamilies ?? []).length > 0) errors.push(forbiddenField(ipFamilies, forbidden));
  if ((spec.ipFamilyPolicy ?? '') !== '') errors.push(forbiddenField(ipFamilyPolicy, forbidden));
  return errors;
}

function familyErrors(families: readonly string[]): FieldError[] {
  return families.flatMap((family, index) =>
    isRepeated(families, index) ? [duplicateField(ipFamilies.index(index), family)] : [],
  );
}

function policyErrors(
  spec: ServiceSpec,
  addresses: readonly string[],
  families: readonly string[],
): FieldError[] {
  const policy = spec.ipFamilyPolicy ?? '';
  if (policy !== 'SingleStack') return [];
  const message = (field: string) =>
    `must be RequireDualStack or PreferDualStack when \`${field}\` has two values`;
  if (addresses.length > 1) return [invalidField(ipFamilyPolicy, policy, message('clusterIPs'))];
  return families.length > 1 ? [invalidField(ipFamilyPolicy, policy, message('ipFamilies'))] : [];
}

function singleErrors(single: string, addresses: readonly string[]): FieldError[] {
  if (addresses.length === 0) return [];
  if (single === '')
    return [invalidField(clusterIPs, addresses, 'must be empty when `clusterIP` is not set')];
  if (addresses[0] === single) return [];
  return [invalidField(clusterIPs, addresses, 'first value must match `clusterIP`')];
}

function addressErrors(addresses: readonly string[], families: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length > 2) errors.push(invalidField(clusterIPs, addresses, 'may only hold up to 2 values'));
  for (const [index, address] of addresses.entries()) {
    const path = clusterIPs.index(index);
    if (address === 'None') {
      if (addresses.length > 1) errors.push(invalidField(path, address, "'None' must be the only value"));
      continue;
    }
    const messages = validateIpAddress(address);
    if (messages.length > 0) errors.push(...messages.map(message => invalidField(path, address, message)));
    else if (families[index] !== undefined && families[index] !== ipFamilyFromAddress(address))
      errors.push(
        invalidField(path, address, `must be of family ${families[index]}, as \`ipFamilies[${index}]\` says`),
      );
  }
  const [first = '', second = ''] = addresses;
  const areValid = errors.length === 0 && addresses.length === 2;
  if (areValid && ipFamilyFromAddress(first) === ipFamilyFromAddress(second))
    errors.push(invalidField(clusterIPs, addresses, 'may hold at most one address of each family'));
  return errors;
}
