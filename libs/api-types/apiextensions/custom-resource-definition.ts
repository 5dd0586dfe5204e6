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
  // The definition's own finalizer has no domain and slash.
  anyFinalizers: true,
  generation: true,
  returnsDeletedObject: true,
  gatedRules: [{ gate: 'CustomResourceValidationExpressions', off: { dropFields: dropValidationRules } }],
  applyDefaults,
  prepareForCreate(object) {
    // Existing clients that wait for a condition fail if the list is null.
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

/** Returns the webhook client without its CA bundle, which is kept up to date by others than the author. */
function conversionClient(object: CustomResourceDefinition): JsonValue {
  const webhook = object.spec?.conversion?.webhook;
  const { url = null, service = null } = webhook?.clientConfig ?? {};
  return [url, service, webhook?.conversionReviewVersions ?? null];
}

/**
 * Adds the finalizer that keeps the definition until its custom resources are deleted; the controller that deletes them removes
 * it.
 */
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

/** Adds the current storage version to the stored versions: objects may exist in each version that the status lists. */
function noteStorageVersion(object: CustomResourceDefinition): void {
  const storage = object.spec?.versions?.find(version => version.storage === true)?.name;
  object.status ??= {};
  const stored = object.status.storedVersions ?? [];
  if (storage && !stored.includes(storage)) object.status.storedVersions = [...stored, storage];
}
