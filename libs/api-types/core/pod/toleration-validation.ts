import {
  type FieldError,
  type FieldPath,
  invalidField,
  validateLabelValue,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Toleration } from '../../generated/core/v1.ts';

/** Validates one toleration: value and seconds by its operator and effect; closed sets are validated elsewhere. */
export function tolerationErrors(toleration: Toleration, path: FieldPath): FieldError[] {
  const key = toleration.key ?? '';
  const operator = toleration.operator ?? '';
  const value = toleration.value ?? '';
  const errors: FieldError[] = [];
  if (key !== '')
    errors.push(...validateQualifiedName(key).map(message => invalidField(path.child('key'), key, message)));
  else if (operator !== 'Exists')
    errors.push(invalidField(path.child('operator'), operator, "must be 'Exists' when `key` is empty"));
  if (operator === 'Exists') {
    if (value !== '')
      errors.push(
        invalidField(path.child('operator'), value, "`value` must be empty when `operator` is 'Exists'"),
      );
  } else if (operator === '' || operator === 'Equal') {
    const messages = validateLabelValue(value);
    if (messages.length > 0) errors.push(invalidField(path.child('operator'), value, messages.join(';')));
  }
  if (toleration.tolerationSeconds !== undefined && toleration.effect !== 'NoExecute')
    errors.push(
      invalidField(
        path.child('effect'),
        toleration.effect ?? '',
        "must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    );
  return errors;
}
