import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsSubdomain,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import { asText } from '../values/json-access.ts';

/** The findings about a reference to an object by group, kind and name; without a group it is one of the core group. */
export function localReferenceErrors(reference: JsonObject, path: FieldPath): FieldError[] {
  const group = reference['apiGroup'];
  const groupErrors =
    typeof group === 'string'
      ? validateDnsSubdomain(group).map(message => invalidField(path.child('apiGroup'), group, message))
      : [];
  return [
    ...groupErrors,
    ...['kind', 'name'].flatMap(field => {
      const value = asText(reference[field]);
      if (value === '') return [requiredField(path.child(field))];
      return validatePathSegmentName(value).map(message => invalidField(path.child(field), value, message));
    }),
  ];
}
