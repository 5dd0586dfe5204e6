import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { defaultCells, defaultColumns } from '../printing/columns.ts';
import { asObject, asObjects, asText, asTexts, ensureObject } from '../values/json-access.ts';
import { cleanupFinalizer } from './cleanup-finalizer.ts';
import { setCondition } from './conditions.ts';
import { definitionAliasNames } from './definition-alias-names.ts';
import { definitionErrors, definitionUpdateErrors } from './definition-validation.ts';

/** The rules of CustomResourceDefinition objects. */
export const customResourceDefinitionRules: KindRules = {
  unconditionalUpdate: false,
  // That of a definition itself has no domain before a slash.
  anyFinalizers: true,
  generation: true,
  returnsDeletedObject: true,
  applyDefaults,
  prepareForCreate(object) {
    // Existing clients that wait for a condition give up at a null where the list is to be.
    object['status'] = { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
    noteStorageVersion(object);
  },
  prepareForUpdate(object, _old, subresource) {
    if (subresource === '') noteStorageVersion(object);
  },
  prepareForDelete: markTerminating,
  resetFields: subresource => (subresource === 'status' ? [['metadata']] : []),
  validate: definitionErrors,
  validateUpdate: definitionUpdateErrors,
  columns: defaultColumns,
  cells: defaultCells,
  aliasNames: definitionAliasNames,
  webhookClients,
};

/** The authority of the webhook is left out: others than the author of a definition keep it up to date. */
function webhookClients(object: ApiObject): JsonValue {
  const conversion = asObject(asObject(object['spec'])?.['conversion']);
  const webhook = asObject(conversion?.['webhook']);
  const { url = null, service = null } = asObject(webhook?.['clientConfig']) ?? {};
  return [url, service, webhook?.['conversionReviewVersions'] ?? null];
}

/** Its objects go before the definition does: the controller that deletes them removes the finalizer. */
function markTerminating(object: ApiObject, now: number): void {
  const { metadata } = object;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
  setCondition(ensureObject(object, 'status'), now, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'The definition is being deleted; its objects are deleted first.',
  });
}

function applyDefaults(object: ApiObject): void {
  const names = asObject(asObject(object['spec'])?.['names']);
  const kind = asText(names?.['kind']);
  if (!names || kind === '') return;
  if (asText(names['singular']) === '') names['singular'] = kind.toLowerCase();
  if (asText(names['listKind']) === '') names['listKind'] = `${kind}List`;
}

/** From now on objects are written in this version: they may be found in it for as long as the status says so. */
function noteStorageVersion(object: ApiObject): void {
  const versions = asObjects(asObject(object['spec'])?.['versions']);
  const storage = asText(versions.find(version => version['storage'] === true)?.['name']);
  const status = ensureObject(object, 'status');
  const stored = asTexts(status['storedVersions']);
  if (storage !== '' && !stored.includes(storage)) status['storedVersions'] = [...stored, storage];
}
