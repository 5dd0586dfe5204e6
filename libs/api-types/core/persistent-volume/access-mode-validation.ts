import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';

const forManyPods = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const forOnePod = 'ReadWriteOncePod';
const supported = [...forManyPods, forOnePod];

/** Validates access modes: at least one supported mode; ReadWriteOncePod must not be combined with others. */
export function accessModeErrors(modes: readonly string[], path: FieldPath): FieldError[] {
  if (modes.length === 0) return [requiredField(path, 'at least 1 access mode is required')];
  const errors = modes
    .filter(mode => !supported.includes(mode))
    .map(mode => notSupportedField(path, mode, supported));
  if (modes.includes(forOnePod) && modes.some(mode => forManyPods.includes(mode)))
    errors.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}
