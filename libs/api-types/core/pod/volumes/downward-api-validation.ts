import {
  type FieldError,
  type FieldPath,
  formatQuantity,
  invalidField,
  notSupportedField,
  requiredField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type {
  DownwardAPIVolumeFile,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from '../../../generated/core/v1.ts';
import { parseAmount } from '../../resource-amounts/standard-resources.ts';
import { fileModeErrors, filePathErrors } from '../../volume/volume-file-validation.ts';

const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const variableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];
/** Maps whose single entries can be selected. */
const subscripted = ['metadata.annotations', 'metadata.labels'];
/** Fields of a pod that the API can select, including those for other purposes. */
const selectable = [
  ...fileFields,
  ...variableFields,
  'spec.host',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];
/** Container resources of the downward API. */
export const resourceFields: readonly string[] = ['cpu', 'ephemeral-storage', 'memory'].flatMap(name => [
  `limits.${name}`,
  `requests.${name}`,
]);
const hugePages = /^(?:limits|requests)\.hugepages-/;

/** Whether a downward API resource is an amount of huge pages. */
export function isHugePageResource(resource: string): boolean {
  return hugePages.test(resource);
}

const processorDivisors = ['1', '1m'];
const storageDivisors = ['1', '1E', '1Ei', '1G', '1Gi', '1k', '1Ki', '1M', '1Mi', '1P', '1Pi', '1T', '1Ti'];

/** Validates a downward API file: its path, and exactly one reference. `path` is that of the source. */
export function downwardFileErrors(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  return [
    ...((file.path ?? '') === '' ? [requiredField(path.child('path'))] : []),
    ...filePathErrors(file.path ?? '', path.child('path')),
    ...contentErrors(file, path),
    ...fileModeErrors(file.mode, path.child('mode')),
  ];
}

function contentErrors(
  { fieldRef, resourceFieldRef: resourceRef }: DownwardAPIVolumeFile,
  path: FieldPath,
): FieldError[] {
  if (fieldRef)
    return [
      ...fieldReferenceErrors(fieldRef, path.child('fieldRef'), fileFields),
      ...(resourceRef
        ? [
            invalidField(
              path,
              'resource',
              'fieldRef and resourceFieldRef can not be specified simultaneously',
            ),
          ]
        : []),
    ];
  if (!resourceRef) return [requiredField(path, 'one of fieldRef and resourceFieldRef is required')];
  const at = path.child('resourceFieldRef');
  return (resourceRef.containerName ?? '') === ''
    ? [requiredField(at.child('containerName'))]
    : resourceReferenceErrors(resourceRef, at);
}

/** Validates a field reference of an environment variable. */
export function variableFieldErrors(reference: ObjectFieldSelector, path: FieldPath): FieldError[] {
  return fieldReferenceErrors(reference, path, variableFields);
}

/** Validates a reference to a container resource. */
export function resourceReferenceErrors(reference: ResourceFieldSelector, path: FieldPath): FieldError[] {
  const resource = reference.resource ?? '';
  if (resource === '') return [requiredField(path.child('resource'))];
  if (!resourceFields.includes(resource) && !isHugePageResource(resource))
    return [notSupportedField(path.child('resource'), resource, resourceFields)];
  const divisor = parseAmount(reference.divisor);
  if (divisor === undefined || divisor.nanos === 0n) return [];
  const allowed = resource.endsWith('.cpu') ? processorDivisors : storageDivisors;
  return allowed.includes(formatQuantity(divisor))
    ? []
    : [invalidField(path.child('divisor'), reference.divisor, `must be one of ${allowed.join(', ')}`)];
}

function fieldReferenceErrors(
  reference: ObjectFieldSelector,
  path: FieldPath,
  allowed: readonly string[],
): FieldError[] {
  const at = path.child('fieldPath');
  const version = reference.apiVersion ?? '';
  const field = reference.fieldPath ?? '';
  if (version === '') return [requiredField(path.child('apiVersion'))];
  if (field === '') return [requiredField(at)];
  const entry = mapEntry(field);
  const isKnown = entry ? subscripted.includes(entry.map) : selectable.includes(field);
  if (version !== 'v1' || !isKnown)
    return [invalidField(at, field, `error converting fieldPath: field label not supported: ${field}`)];
  if (entry) {
    const { map, key } = entry;
    return validateQualifiedName(map === 'metadata.annotations' ? key.toLowerCase() : key).map(message =>
      invalidField(path, key, message),
    );
  }
  // The deprecated name of the field.
  const meant = field === 'spec.host' ? 'spec.nodeName' : field;
  return allowed.includes(meant) ? [] : [notSupportedField(at, meant, allowed)];
}

/** Returns map and key of a field such as `metadata.labels['a']`; undefined for other fields. */
function mapEntry(field: string): { readonly map: string; readonly key: string } | undefined {
  const open = field.indexOf("['", 1);
  const keyStart = open + 2;
  const keyEnd = field.length - 2;
  if (open < 0 || keyEnd < keyStart || !field.endsWith("']")) return undefined;
  return { map: field.slice(0, open), key: field.slice(keyStart, keyEnd) };
}
