import { type FieldError, type FieldPath, invalidField } from '@binnacle/api-objects';

/** The findings about the number of a partition. */
export function partitionErrors(
  { partition = 0 }: { readonly partition?: number },
  path: FieldPath,
): FieldError[] {
  return byteErrors(partition, path.child('partition'));
}

/** The findings about the number of a unit of a target. */
export function unitErrors({ lun = 0 }: { readonly lun?: number }, path: FieldPath): FieldError[] {
  return byteErrors(lun, path.child('lun'));
}

/** One byte holds the number. */
function byteErrors(number: number, path: FieldPath): FieldError[] {
  return number < 0 || number > 255
    ? [invalidField(path, number, 'must be between 0 and 255, inclusive')]
    : [];
}
