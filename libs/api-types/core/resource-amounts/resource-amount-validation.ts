import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import type { ResourceRequirements } from '../../generated/core/v1.ts';
import {
  containerResourceNameErrors,
  hugePagesAmountErrors,
  isOvercommitAllowed,
  parseAmount,
  resourceAmountErrors,
} from './standard-resources.ts';

/** Validates the resources of a container: known names, no negative amounts, requests at most the limits. */
export function resourceErrors(resources: ResourceRequirements, path: FieldPath): FieldError[] {
  const { limits = {}, requests = {} } = resources;
  return [
    ...containerAmountErrors(limits, path.child('limits')),
    ...containerAmountErrors(requests, path.child('requests')),
    ...Object.keys(requests).flatMap(name => requestErrors(name, { limits, requests, path })),
    ...hugePagesErrors([...Object.keys(limits), ...Object.keys(requests)], path),
  ];
}

type Amounts = NonNullable<ResourceRequirements['limits']>;

function containerAmountErrors(amounts: Amounts, path: FieldPath): FieldError[] {
  return Object.entries(amounts).flatMap(([name, value]) => [
    ...containerResourceNameErrors(name, path.key(name)),
    ...resourceAmountErrors(name, value, path.key(name)),
    ...hugePagesAmountErrors(name, value, path.key(name)),
  ]);
}

/** Validates the overhead of a pod like the limits of a container. */
export function overheadErrors(overhead: Amounts, path: FieldPath): FieldError[] {
  return resourceErrors({ limits: overhead }, path);
}

interface Resources {
  readonly limits: Amounts;
  readonly requests: Amounts;
  readonly path: FieldPath;
}

/** For resources that cannot be overcommitted the request must equal the limit. */
function requestErrors(name: string, { limits, requests, path }: Resources): FieldError[] {
  const request = parseAmount(requests[name]);
  const limit = parseAmount(limits[name]);
  const at = path.child('requests');
  if (!request) return [];
  if (!limit)
    return isOvercommitAllowed(name)
      ? []
      : [requiredField(path.child('limits'), `limit must be set for ${name}, which cannot be overcommitted`)];
  const order = compareQuantities(request, limit);
  if (order !== 0 && !isOvercommitAllowed(name))
    return [invalidField(at, requests[name], `must be equal to ${name} limit`)];
  return order > 0 ? [invalidField(at, requests[name], `must be less than or equal to ${name} limit`)] : [];
}

/** Huge pages require CPU or memory. */
function hugePagesErrors(names: readonly string[], path: FieldPath): FieldError[] {
  const hasHugePages = names.some(name => name.startsWith('hugepages-'));
  if (!hasHugePages || names.includes('cpu') || names.includes('memory')) return [];
  return [forbiddenField(path, 'huge pages require cpu or memory')];
}
