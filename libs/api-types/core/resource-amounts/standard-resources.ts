import {
  type FieldError,
  type FieldPath,
  invalidField,
  type Quantity,
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

/** The amount of a resource; undefined for what is no quantity. */
export function amountOf(value: string | undefined): Quantity | undefined {
  return value === undefined ? undefined : tryParseQuantity(value);
}

/** The findings about the name of a resource: a standard one, or one with a domain prefix. */
export function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  return nameErrors(name, path, {
    isStandard: quotaResources.has(name) || name === 'storage' || isHugePages(name),
    detail: 'must be a standard resource type or fully qualified',
  });
}

/** The findings about the name of a resource that a container uses. */
export function containerResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  return nameErrors(name, path, {
    isStandard: compute.includes(name) || name.startsWith('hugepages-'),
    detail: 'must be a standard resource for containers or fully qualified',
  });
}

/** The findings about the name of a resource that a quota limits. */
export function quotaResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  return nameErrors(name, path, {
    isStandard: quotaResources.has(name) || isHugePages(name),
    detail: 'must be a standard resource for quota or fully qualified',
  });
}

/** The findings about an amount of a resource: not negative, and whole where pieces are counted. */
export function resourceAmountErrors(name: string, value: string | undefined, path: FieldPath): FieldError[] {
  const amount = amountOf(value);
  if (!amount) return [];
  const errors: FieldError[] = [];
  if (amount.nanos < 0n) errors.push(invalidField(path, value, 'must be greater than or equal to 0'));
  if (isCounted(name) && amount.nanos % 1_000_000_000n !== 0n)
    errors.push(invalidField(path, value, 'must be an integer'));
  return errors;
}

/** Whether more of a resource may be asked for than there is, so that limits exceed requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-');
}

/** Whether a container's resource is none of the cluster's own, but of a domain that stands before it. */
export function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.');
}

function isCounted(name: string): boolean {
  if (counted.includes(name)) return true;
  return isExtendedResource(name);
}

/** Without a domain, or with the cluster's own. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('cluster.io/') || name.includes('kubernetes.io/');
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

function nameErrors(
  name: string,
  path: FieldPath,
  { isStandard, detail }: { readonly isStandard: boolean; readonly detail: string },
): FieldError[] {
  const messages = validateQualifiedName(name);
  if (messages.length === 0 && !name.includes('/') && !isStandard) messages.push(detail);
  return messages.map(message => invalidField(path, name, message));
}
