import {
  type ApiObject,
  causeFromFieldError,
  fieldPath,
  invalidField,
  type JsonValue,
  type ObjectMeta,
} from '@binnacle/api-objects';
import { applyDefaults, prepareForCreate, prepareForUpdate } from '@binnacle/api-types';
import { badRequest, invalid } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';

/** What the server says of an object: neither clients nor webhooks can. */
const serversOwn = [
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'deletionTimestamp',
] satisfies (keyof ObjectMeta)[];

/**
 * Brings an object that a webhook changed back into the state in which it may be written: system metadata and status are
 * as before, generation counts the change, defaults are there. A webhook may give a new object another name, but none
 * another namespace (400), and no stored one another name or uid (422). Changes `object`.
 */
export function settleObject(review: Review, object: ApiObject, before: ApiObject): void {
  const { definition, oldObject, subresource } = review;
  assertNamespace(object.metadata, before.metadata);
  if (oldObject === undefined) {
    prepareForCreate(definition, object);
    restoreServersOwn(object.metadata, before.metadata);
    definition.rules.completeCreate?.(object);
  } else {
    assertIdentity(review, object.metadata, before.metadata);
    prepareForUpdate(definition, object, oldObject, subresource);
    restoreServersOwn(object.metadata, before.metadata);
  }
  applyDefaults(definition, object);
}

function assertNamespace(metadata: ObjectMeta, before: ObjectMeta): void {
  const { namespace = '' } = before;
  if (namespace !== '') metadata.namespace ||= namespace;
  if ((metadata.namespace ?? '') !== namespace)
    throw badRequest(
      `the namespace that a webhook gave the object (${metadata.namespace}) is not that of the request (${namespace})`,
    );
}

function assertIdentity({ definition }: Review, metadata: ObjectMeta, before: ObjectMeta): void {
  const path = fieldPath('metadata');
  const errors = (['name', 'uid'] as const)
    .filter(key => (metadata[key] ?? '') !== (before[key] ?? ''))
    .map(key => invalidField(path.child(key), metadata[key] ?? '', 'field is immutable'));
  if (errors.length === 0) return;
  const { group, kind, rules } = definition;
  throw invalid(
    { group: rules.findingsGroup ?? group, kind },
    before.name ?? '',
    errors.map(causeFromFieldError),
  );
}

function restoreServersOwn(metadata: ObjectMeta, before: ObjectMeta): void {
  const changed: Partial<Record<string, JsonValue>> = metadata;
  for (const key of serversOwn) {
    const value = before[key];
    if (value === undefined) delete changed[key];
    else changed[key] = value;
  }
}
