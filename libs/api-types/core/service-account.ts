import type { ApiObject } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asList, asObjects } from '../values/json-access.ts';

/** The rules of ServiceAccount objects; secrets are kept as bare names. */
export const serviceAccountRules: KindRules = {
  returnsDeletedObject: true,
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  columns: [nameColumn, column('Secrets', 'The number of secrets that the account may use.'), ageColumn],
  cells: (object, now) => [nameOf(object), asList(object['secrets']).length, ageOf(object, now)],
};

function keepSecretNames(object: ApiObject): void {
  if (!Array.isArray(object['secrets'])) return;
  object['secrets'] = asObjects(object['secrets']).map(({ name }) => (name === undefined ? {} : { name }));
}
