import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { CrossVersionObjectReference } from '../generated/autoscaling/v2.ts';

/** The findings about a reference to an object of any version by kind and name. */
export function targetObjectErrors(reference: CrossVersionObjectReference, path: FieldPath): FieldError[] {
  return (['kind', 'name'] as const).flatMap(field =>
    pathSegmentErrors(reference[field] ?? '', path.child(field)),
  );
}

/** The findings about a field that must be set and becomes part of a path. */
export function pathSegmentErrors(value: string, path: FieldPath): FieldError[] {
  if (value === '') return [requiredField(path)];
  return validatePathSegmentName(value).map(message => invalidField(path, value, message));
}
