import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import { asText } from '../values/json-access.ts';

/** The findings about a reference to an object of any version by kind and name. */
export function targetObjectErrors(reference: JsonObject, path: FieldPath): FieldError[] {
  return ['kind', 'name'].flatMap(field => pathSegmentErrors(reference, field, path));
}

/** The findings about a field that must be set and becomes part of a path. */
export function pathSegmentErrors(object: JsonObject, field: string, path: FieldPath): FieldError[] {
  const value = asText(object[field]);
  if (value === '') return [requiredField(path.child(field))];
  return validatePathSegmentName(value).map(message => invalidField(path.child(field), value, message));
}
