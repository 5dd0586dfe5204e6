import {
  type FieldError,
  type FieldPath,
  invalidField,
  isNumber,
  type JsonObject,
  type JsonValue,
  parsePercent,
  validatePercent,
} from '@binnacle/api-objects';

/** Validates that number fields of an object are not negative. */
export function nonNegativeErrors(
  object: JsonObject,
  fields: readonly string[],
  path: FieldPath,
): FieldError[] {
  return fields.flatMap(field => {
    const value = object[field];
    return isNumber(value) && value < 0
      ? [invalidField(path.child(field), value, 'must be greater than or equal to 0')]
      : [];
  });
}

/** Validates a count or percentage: a non-negative integer, or a percentage up to `most`. */
export function countOrShareErrors(
  value: JsonValue | undefined,
  path: FieldPath,
  most = Number.POSITIVE_INFINITY,
): FieldError[] {
  if (isNumber(value))
    return value < 0 ? [invalidField(path, value, 'must be greater than or equal to 0')] : [];
  if (typeof value !== 'string') return [];
  const messages = validatePercent(value);
  if ((parsePercent(value) ?? 0) > most) messages.push(`must not be greater than ${most}%`);
  return messages.map(message => invalidField(path, value, message));
}

/** Returns the number of a count or percentage; 0 for other values. */
export function amountOfCountOrShare(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (parsePercent(value) ?? 0) : 0;
}
