import { vocabulary } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.ts';
import { defaultCells, defaultColumns } from '../printing/columns.ts';
import { cleanupFinalizer } from './cleanup-finalizer.ts';
import { setCondition } from './conditions.ts';
import { definitionAliasNames } from './definition-alias-names.ts';
import { definitionErrors, definitionUpdateErrors } from './definition-validation.ts';
import { dropValidationRules } from './drop-validation-rules.ts';

/** The rules of CustomResourceDefinition objects. */
export const customResourceDefinitionRules: KindRules<CustomResourceDefinition> = {
  unconditionalUpdate: false,
  // That of a definition itself has no domain before a slash.
  anyFinalizers: true,
  generation: true,
  returnsDeletedObject: true,
  gatedRules: [{ gate: 'CustomResourceValidationExpressions', off: { dropFields: dropValidationRules } }],
  applyDefaults,
  prepareForCreate(object) {
    // Existing clients that wait for a condition give up at a null where the list is to be.
    object.status = { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
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
  ...(vocabulary === 'cluster' && { aliasNames: definitionAliasNames }),
  authored: conversionClient,
};

/** The authority of the webhook is left out: others than the author of a definition keep it up to date. */
function conversionClient(object: CustomResourceDefinition): JsonValue {
  const webhook = object.spec?.conversion?.webhook;
  const { url = null, service = null } = webhook?.clientConfig ?? {};
  return [url, service, webhook?.conversionReviewVersions ?? null];
}

/** Its objects go before the definition does: the controller that deletes them removes the finalizer. */
function markTerminating(object: CustomResourceDefinition, now: number): void {
  const { metadata } = object;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
  object.status ??= {};
  setCondition(object.status, now, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'The definition is being deleted; its objects are deleted first.',
  });
}

function applyDefaults(object: CustomResourceDefinition): void {
  const names = object.spec?.names;
  if (!names?.kind) return;
  names.singular ||= names.kind.toLowerCase();
  names.listKind ||= `${names.kind}List`;
}

/** From now on objects are written in this version: they may be found in it for as long as the status says so. */
function noteStorageVersion(object: CustomResourceDefinition): void {
  const storage = object.spec?.versions?.find(version => version.storage === true)?.name;
  object.status ??= {};
  const stored = object.status.storedVersions ?? [];
  if (storage && !stored.includes(storage)) object.status.storedVersions = [...stored, storage];
}
