import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  type Quantity,
  requiredField,
  tryParseQuantity,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asObject, asText } from '../json-access.ts';

/** Resources that can be asked for without a limit; of all others the request is the limit. */
const overcommittable = /^(cpu|memory|ephemeral-storage)$/;

/** The findings about the resources of a container: known names, no negative amount, requests within limits. */
export function resourceErrors(resources: JsonObject, path: FieldPath): FieldError[] {
  const limits = asObject(resources['limits']) ?? {};
  const requests = asObject(resources['requests']) ?? {};
  const errors = [
    ...computeAmountErrors(limits, path.child('limits')),
    ...computeAmountErrors(requests, path.child('requests')),
  ];
  for (const name of Object.keys(requests)) {
    const request = amount(requests, name);
    const limit = amount(limits, name);
    const at = path.child('requests');
    if (!request) continue;
    if (limit && compareQuantities(request, limit) > 0)
      errors.push(invalidField(at, requests[name], `must be less than or equal to ${name} limit`));
    else if (!limit && !overcommittable.test(name))
      errors.push(
        requiredField(path.child('limits'), `limit must be set for ${name}, which cannot be overcommitted`),
      );
  }
  return errors;
}

/** The findings about amounts that containers use, by resource. */
export function computeAmountErrors(amounts: JsonObject, path: FieldPath): FieldError[] {
  return Object.keys(amounts).flatMap(name => {
    const at = path.key(name);
    const quantity = amount(amounts, name);
    const isStandard = overcommittable.test(name) || name.startsWith('hugepages-') || name.includes('/');
    const messages = validateQualifiedName(name);
    if (messages.length === 0 && !isStandard)
      messages.push('must be a standard resource of containers or a name with a domain prefix');
    const errors = messages.map(message => invalidField(at, name, message));
    if (quantity && quantity.nanos < 0n)
      errors.push(invalidField(at, amounts[name], 'must be greater than or equal to 0'));
    return errors;
  });
}

function amount(amounts: JsonObject, name: string): Quantity | undefined {
  const value = amounts[name];
  return value === undefined
    ? undefined
    : tryParseQuantity(typeof value === 'number' ? String(value) : asText(value));
}
