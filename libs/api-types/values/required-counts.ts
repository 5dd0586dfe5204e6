import type { ApiObject } from '@binnacle/api-objects';
import { ensureObject } from './json-access.ts';

/** Sets the counts of a status that clients require to 0 if they are absent. */
export function writeRequiredCounts(object: ApiObject, fields: readonly string[]): void {
  const status = ensureObject(object, 'status');
  for (const field of fields) status[field] ??= 0;
}
