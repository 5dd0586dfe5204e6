import type { ApiObject } from '@binnacle/api-objects';
import { ensureObject } from './json-access.ts';

/** Writes 0 for the counts of a status that clients read without asking whether they are there. */
export function writeRequiredCounts(object: ApiObject, fields: readonly string[]): void {
  const status = ensureObject(object, 'status');
  for (const field of fields) status[field] ??= 0;
}
