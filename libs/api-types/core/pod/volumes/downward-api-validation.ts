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
import { amountOf } from '../../resource-amounts/standard-resources.ts';
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
const resourceFields = ['cpu', 'ephemeral-storage', 'memory'].flatMap(name => [
  `limits.${name}`,
  `requests.${name}`,
]);
const hugePages = /^(?:limits|requests)\.hugepages-[a-zA-Z0-9.]+$/;
const processorDivisors = ['1', '1m'];
const storageDivisors = ['1', '1E', '1Ei', '1G', '1Gi', '1k', '1Ki', '1M', '1Mi', '1P', '1Pi', '1T', '1Ti'];

/** The findings about a file that tells a pod about itself: its path, and one thing to tell. */
export function downwardFileErrors(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const fieldRef = file.fieldRef;
  const resourceRef = file.resourceFieldRef;
  const errors = [
    ...filePathErrors(file.path ?? '', path.child('path')),
    ...fileModeErrors(file.mode, path.child('mode')),
  ];
  if (fieldRef && resourceRef)
    errors.push(
      invalidField(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
    );
  if (!fieldRef && !resourceRef)
    errors.push(requiredField(path, 'one of fieldRef and resourceFieldRef is required'));
  if (fieldRef) errors.push(...fieldReferenceErrors(fieldRef, path.child('fieldRef'), fileFields));
  if (resourceRef) {
    const at = path.child('resourceFieldRef');
    if ((resourceRef.containerName ?? '') === '') errors.push(requiredField(at.child('containerName')));
    errors.push(...resourceReferenceErrors(resourceRef, at));
  }
  return errors;
}

/** The findings about a reference to a field of the pod that a variable is to hold. */
export function variableFieldErrors(reference: ObjectFieldSelector, path: FieldPath): FieldError[] {
  return fieldReferenceErrors(reference, path, variableFields);
}

/** The findings about a reference to an amount that a container is given. */
export function resourceReferenceErrors(reference: ResourceFieldSelector, path: FieldPath): FieldError[] {
  const resource = reference.resource ?? '';
  if (resource === '') return [requiredField(path.child('resource'))];
  if (!resourceFields.includes(resource) && !hugePages.test(resource))
    return [notSupportedField(path.child('resource'), resource, resourceFields)];
  const divisor = amountOf(reference.divisor);
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
  if (field === '') return [requiredField(at)];
  if (version !== 'v1') return [invalidField(at, field, `there are no fields of version ${version}`)];
  const entry = /^metadata\.(annotations|labels)\['([^']*)'\]$/.exec(field);
  if (entry) {
    const key = entry[1] === 'annotations' ? (entry[2] ?? '').toLowerCase() : (entry[2] ?? '');
    return validateQualifiedName(key).map(message => invalidField(at, field, message));
  }
  return allowed.includes(field) ? [] : [notSupportedField(at, field, allowed)];
}
