import type { ApiObject, FieldError } from '@binnacle/api-objects';
/** t */
export function flowSchemaErrors(_object: ApiObject): FieldError[] {
  return [];
}
