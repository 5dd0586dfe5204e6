import { type FieldError, type FieldPath, invalidField } from '@binnacle/api-objects';

/** Validates a partition number. */
export function partitionErrors(
  { partition = 0 }: { readonly partition?: number },
  path: FieldPath,
): FieldError[] {
  return byteErrors(partition, path.child('partition'));
}

/** Validates a logical unit number. */
export function unitErrors({ lun = 0 }: { readonly lun?: number }, path: FieldPath): FieldError[] {
  return byteErrors(lun, path.child('lun'));
}

/** Validates that a number fits into one byte. */
function byteErrors(number: number, path: FieldPath): FieldError[] {
  return number < 0 || number > 255
    ? [invalidField(path, number, 'must be between 0 and 255, inclusive')]
    : [];
}
