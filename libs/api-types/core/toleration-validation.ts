import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  validateLabelValue,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asText } from '../values/json-access.ts';

/** The findings about one toleration: what its operator allows, and when it may end; closed sets are checked elsewhere. */
export function tolerationErrors(toleration: JsonObject, path: FieldPath): FieldError[] {
  const key = asText(toleration['key']);
  const operator = asText(toleration['operator']);
  const value = asText(toleration['value']);
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
    errors.push(
      ...validateLabelValue(value).map(message => invalidField(path.child('operator'), value, message)),
    );
  }
  if (toleration['tolerationSeconds'] !== undefined && toleration['effect'] !== 'NoExecute')
    errors.push(
      invalidField(
        path.child('effect'),
        toleration['effect'] ?? '',
        "must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    );
  return errors;
}
