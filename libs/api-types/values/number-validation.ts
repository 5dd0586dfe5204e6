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

/** The findings about fields of an object that count something: a number that is set is not negative. */
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

/** The findings about a count or a share of a whole: an integer from 0, or a percentage; `most` limits the latter. */
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

/** The number in a count or share, its unit left aside; 0 for anything else. */
export function amountOfCountOrShare(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (parsePercent(value) ?? 0) : 0;
}
