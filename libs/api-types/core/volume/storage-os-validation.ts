import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';

/** Validates name and namespace of a StorageOS volume. */
export function storageOsNameErrors(
  {
    volumeName = '',
    volumeNamespace = '',
  }: { readonly volumeName?: string; readonly volumeNamespace?: string },
  path: FieldPath,
): FieldError[] {
  return [
    ...(volumeName === ''
      ? [requiredField(path.child('volumeName'))]
      : labelErrors(volumeName, path.child('volumeName'))),
    ...(volumeNamespace === '' ? [] : labelErrors(volumeNamespace, path.child('volumeNamespace'))),
  ];
}

function labelErrors(name: string, path: FieldPath): FieldError[] {
  return validateDnsLabel(name).map(message => invalidField(path, name, message));
}
