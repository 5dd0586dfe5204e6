import {
  type ApiObject,
  causeFromFieldError,
  fieldPath,
  invalidField,
  type JsonValue,
  type ObjectMeta,
  validateDeletionUntouched,
} from '@binnacle/api-objects';
import { applyDefaults, dropDisabledFields, prepareForCreate, prepareForUpdate } from '@binnacle/api-types';
import { badRequest, conflict, internalError, invalid } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';

/** Metadata that only the server sets: neither clients nor webhooks may. */
const serversOwn = [
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'deletionTimestamp',
] satisfies (keyof ObjectMeta)[];

/**
 * Prepares an object that a webhook changed for writing: restores system metadata and status, drops fields of disabled features,
 * counts the change in generation, and fills in defaults. A webhook may rename a new object, but may not change its namespace (400)
 * or give it a resourceVersion (500), and may not change name, uid or deletion time of a stored one (422); another resourceVersion
 * of a stored object is a conflict (409). Changes `object`.
 */
export function settleObject(review: Review, object: ApiObject, before: ApiObject): void {
  const { definition, oldObject, subresource } = review;
  assertNamespace(object.metadata, before.metadata);
  dropDisabledFields(definition, object, oldObject);
  if (oldObject === undefined) {
    if (isVersion(object.metadata))
      throw internalError('resourceVersion should not be set on objects to be created');
    prepareForCreate(definition, object);
    restoreServersOwn(object.metadata, before.metadata);
    definition.rules.completeCreate?.(object);
  } else {
    assertSystemMetadata(review, object.metadata, { before: before.metadata, old: oldObject.metadata });
    prepareForUpdate(definition, object, oldObject, subresource);
    restoreServersOwn(object.metadata, before.metadata);
  }
  applyDefaults(definition, object, oldObject);
}

function assertNamespace(metadata: ObjectMeta, before: ObjectMeta): void {
  const { namespace = '' } = before;
  if (namespace !== '') metadata.namespace ||= namespace;
  if ((metadata.namespace ?? '') !== namespace)
    throw badRequest(
      `the namespace that a webhook set (${metadata.namespace}) is not that of the request (${namespace})`,
    );
}

/** Whether metadata has a resourceVersion; "0" counts as none. */
function isVersion({ resourceVersion = '' }: ObjectMeta): boolean {
  return !/^0*$/.test(resourceVersion);
}

function assertSystemMetadata(
  { definition }: Review,
  metadata: ObjectMeta,
  { before, old }: { readonly before: ObjectMeta; readonly old: ObjectMeta },
): void {
  const { group, resource, kind, rules } = definition;
  const { name = '' } = before;
  if (isVersion(metadata) && metadata.resourceVersion !== before.resourceVersion)
    throw conflict(
      { group, resource },
      name,
      `a webhook set the resourceVersion ${JSON.stringify(metadata.resourceVersion)}, which is not that of the stored object`,
    );
  const path = fieldPath('metadata');
  const errors = (['name', 'uid'] as const)
    .filter(key => (metadata[key] ?? '') !== (before[key] ?? ''))
    .map(key => invalidField(path.child(key), metadata[key] ?? '', 'field is immutable'));
  errors.push(...validateDeletionUntouched(metadata, old));
  if (errors.length === 0) return;
  throw invalid({ group: rules.findingsGroup ?? group, kind }, name, errors.map(causeFromFieldError));
}

function restoreServersOwn(metadata: ObjectMeta, before: ObjectMeta): void {
  const changed: Partial<Record<string, JsonValue>> = metadata;
  for (const key of serversOwn) {
    const value = before[key];
    if (value === undefined) delete changed[key];
    else changed[key] = value;
  }
}
