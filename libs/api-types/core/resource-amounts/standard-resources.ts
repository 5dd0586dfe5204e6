import { understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  invalidField,
  type Quantity,
  quantityToScaled,
  tryParseQuantity,
  validateQualifiedName,
} from '@binnacle/api-objects';

const compute = ['cpu', 'memory', 'ephemeral-storage'];

/** Resources whose amounts are integers. */
const counted = [
  'pods',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
];

const quotaResources = new Set([
  ...compute,
  ...compute.map(name => `requests.${name}`),
  ...compute.map(name => `limits.${name}`),
  'requests.storage',
  ...counted,
]);

/** Nano units in a whole unit. */
const whole = 1_000_000_000n;

/** Parses the amount of a resource; undefined if it is not a quantity. */
export function parseAmount(value: string | undefined): Quantity | undefined {
  return value === undefined ? undefined : tryParseQuantity(value);
}

/** Validates a resource name: a standard name, or one with a domain prefix. */
export function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const messages = validateQualifiedName(name);
  if (messages.length === 0 && !name.includes('/') && !isQuotaResource(name) && name !== 'storage')
    messages.push('must be a standard resource type or fully qualified');
  return messages.map(message => invalidField(path, name, message));
}

/** Validates the name of a container resource. */
export function containerResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes('/')) {
    if (!compute.includes(name) && !name.startsWith('hugepages-'))
      errors.push(invalidField(path, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtendedResource(name))
    errors.push(invalidField(path, name, "doesn't follow extended resource name standard"));
  return errors;
}

/** Validates the name of a quota resource. */
export function quotaResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes('/') && !isQuotaResource(name))
    errors.push(invalidField(path, name, 'must be a standard resource for quota'));
  return errors;
}

/** Validates the amount of a resource: not negative, and an integer for counted resources. */
export function resourceAmountErrors(name: string, value: string | undefined, path: FieldPath): FieldError[] {
  const amount = parseAmount(value);
  if (!amount) return [];
  const errors: FieldError[] = [];
  if (amount.nanos < 0n) errors.push(invalidField(path, value, 'must be greater than or equal to 0'));
  if (isCounted(name) && amount.nanos % whole !== 0n)
    errors.push(invalidField(path, value, 'must be an integer'));
  return errors;
}

const hugePagesPrefix = 'hugepages-';

/** Validates an amount of huge pages: a multiple of the page size in the name. */
export function hugePagesAmountErrors(
  name: string,
  value: string | undefined,
  path: FieldPath,
): FieldError[] {
  const amount = parseAmount(value);
  if (!amount || !name.startsWith(hugePagesPrefix)) return [];
  const size = parseAmount(name.slice(hugePagesPrefix.length));
  const isWhole = size !== undefined && size.nanos > 0n && size.nanos % whole === 0n;
  // The amount is rounded up to whole bytes.
  if (isWhole && quantityToScaled(amount, 0) % (size.nanos / whole) === 0n) return [];
  return [invalidField(path, value, `${value} is not positive integer multiple of ${name}`)];
}

/** Whether a resource can be overcommitted, so that limits may exceed requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-');
}

/**
 * Whether a container resource is an extended resource, with a domain prefix that is not the cluster's; a quota must be able to
 * name its requests.
 */
export function isExtendedResource(name: string): boolean {
  return (
    !isNative(name) && !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0
  );
}

function isCounted(name: string): boolean {
  if (counted.includes(name)) return true;
  return isExtendedResource(name);
}

const nativePrefixes = understood.domains.labels.map(domain => `${domain}/`);

/** Whether a resource has no domain or the cluster's own. */
function isNative(name: string): boolean {
  return !name.includes('/') || nativePrefixes.some(prefix => name.includes(prefix));
}

/** Whether a resource is a standard resource of quotas, neither an object count nor an extended resource. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}
