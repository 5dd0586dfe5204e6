import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { CrossVersionObjectReference } from '../generated/autoscaling/v2.ts';

/** Validates a cross-version reference to an object by kind and name. */
export function targetObjectErrors(reference: CrossVersionObjectReference, path: FieldPath): FieldError[] {
  return (['kind', 'name'] as const).flatMap(field =>
    pathSegmentErrors(reference[field] ?? '', path.child(field)),
  );
}

/** Validates a required field that becomes part of a path. */
export function pathSegmentErrors(value: string, path: FieldPath): FieldError[] {
  if (value === '') return [requiredField(path)];
  return validatePathSegmentName(value).map(message => invalidField(path, value, message));
}
