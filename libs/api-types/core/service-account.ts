import type { KindRules } from '../definitions/kind-rules.ts';
import type { ServiceAccount } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of ServiceAccount objects; references to secrets are reduced to their names. */
export const serviceAccountRules: KindRules<ServiceAccount> = {
  returnsDeletedObject: true,
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  columns: [nameColumn, column('Secrets', 'The number of secrets that the account may use.'), ageColumn],
  cells: (object, now) => [nameCell(object), (object.secrets ?? []).length, ageCell(object, now)],
};

function keepSecretNames(object: ServiceAccount): void {
  if (!object.secrets) return;
  object.secrets = object.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
