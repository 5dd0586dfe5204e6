import { annotationTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import { objectIn, objectsIn, textIn } from '../objects/page.ts';
import { describeMetadata } from './describe-metadata.ts';

/** A ServiceAccount with the names of its secrets; `secrets` are those of its namespace, undefined where they cannot be read. */
export function describeServiceAccount(
  account: JsonObject,
  secrets: readonly JsonObject[] | undefined,
): string {
  const existing = secrets && new Set(secrets.map(secret => textIn(objectIn(secret, 'metadata'), 'name')));
  const names = (field: string) =>
    objectsIn(account, field).map(reference => {
      const name = textIn(reference, 'name');
      return existing === undefined || existing.has(name) ? name : `${name} (not found)`;
    });
  const tokens = (secrets ?? [])
    .filter(secret => isTokenFor(account, secret))
    .map(secret => textIn(objectIn(secret, 'metadata'), 'name'));
  return [
    describeMetadata(account, { showsNamespace: true }),
    ...nameLines('Image pull secrets:', names('imagePullSecrets')),
    ...nameLines('Mountable secrets: ', names('secrets')),
    ...nameLines('Tokens:            ', tokens),
  ].join('');
}

function nameLines(heading: string, names: readonly string[]): string[] {
  const shown = names.length === 0 ? ['<none>'] : names;
  return shown.map((name, index) => `${index === 0 ? heading : ' '.repeat(heading.length)}\t${name}\n`);
}

/** Whether the annotations of a Secret name the account by name and UID. */
function isTokenFor(account: JsonObject, secret: JsonObject): boolean {
  const { name, uid } = objectIn(account, 'metadata');
  const annotations = objectIn(objectIn(secret, 'metadata'), 'annotations');
  const { serviceAccountName, serviceAccountUid } = annotationTable;
  return [0, 1].some(
    vocabulary =>
      annotations[serviceAccountName[vocabulary] ?? ''] === name &&
      annotations[serviceAccountUid[vocabulary] ?? ''] === uid,
  );
}
