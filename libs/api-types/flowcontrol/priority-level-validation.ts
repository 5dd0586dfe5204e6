import type { ApiObject, FieldError } from '@binnacle/api-objects';
/** t */
export function priorityLevelErrors(_object: ApiObject): FieldError[] {
  return [];
}
