import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDnsSubdomain,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { TypedLocalObjectReference } from '../generated/core/v1.ts';

/** Validates a reference to an object by group, kind and name; default group: the core group. */
export function localReferenceErrors(reference: TypedLocalObjectReference, path: FieldPath): FieldError[] {
  const group = reference.apiGroup;
  const groupErrors =
    group !== undefined
      ? validateDnsSubdomain(group).map(message => invalidField(path.child('apiGroup'), group, message))
      : [];
  return [
    ...groupErrors,
    ...(['kind', 'name'] as const).flatMap(field => {
      const value = reference[field] ?? '';
      if (value === '') return [requiredField(path.child(field))];
      return validatePathSegmentName(value).map(message => invalidField(path.child(field), value, message));
    }),
  ];
}
