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

/** Resources that are counted in whole pieces. */
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

/** Billionths in a whole. */
const whole = 1_000_000_000n;

/** The amount of a resource; undefined for what is no quantity. */
export function parseAmount(value: string | undefined): Quantity | undefined {
  return value === undefined ? undefined : tryParseQuantity(value);
}

/** The findings about the name of a resource: a standard one, or one with a domain prefix. */
export function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const messages = validateQualifiedName(name);
  if (messages.length === 0 && !name.includes('/') && !isQuotaResource(name) && name !== 'storage')
    messages.push('must be a standard resource type or fully qualified');
  return messages.map(message => invalidField(path, name, message));
}

/** The findings about the name of a resource that a container uses. */
export function containerResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes('/')) {
    if (!compute.includes(name) && !name.startsWith('hugepages-'))
      errors.push(invalidField(path, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtendedResource(name))
    errors.push(invalidField(path, name, "doesn't follow extended resource name standard"));
  return errors;
}

/** The findings about the name of a resource that a quota limits. */
export function quotaResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes('/') && !isQuotaResource(name))
    errors.push(invalidField(path, name, 'must be a standard resource for quota'));
  return errors;
}

/** The findings about an amount of a resource: not negative, and whole where pieces are counted. */
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

/** The findings about an amount of huge pages: pages of the size that the name says. */
export function hugePagesAmountErrors(
  name: string,
  value: string | undefined,
  path: FieldPath,
): FieldError[] {
  const amount = parseAmount(value);
  if (!amount || !name.startsWith(hugePagesPrefix)) return [];
  const size = parseAmount(name.slice(hugePagesPrefix.length));
  const isWhole = size !== undefined && size.nanos > 0n && size.nanos % whole === 0n;
  // The amount counts in whole bytes, rounded up.
  if (isWhole && quantityToScaled(amount, 0) % (size.nanos / whole) === 0n) return [];
  return [invalidField(path, value, `${value} is not positive integer multiple of ${name}`)];
}

/** Whether more of a resource may be asked for than there is, so that limits exceed requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-');
}

/**
 * Whether a container's resource is none of the cluster's own, but of a domain that stands before it; a quota must be able
 * to name what is requested of it.
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

/** Without a domain, or with the cluster's own. */
function isNative(name: string): boolean {
  return !name.includes('/') || nativePrefixes.some(prefix => name.includes(prefix));
}

/** Whether quotas know a resource by name: it is neither a count of objects nor of a domain. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}
