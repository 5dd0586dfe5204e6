import { type ApiObject, copyJson, equalJson, nextGeneration, type ObjectMeta } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { equalValues } from '../values/equal-values.ts';

/** The object before the update, and the subresource written through; '' or nothing for the resource itself. */
export type UpdateFrom = readonly [old: ApiObject, subresource?: string];

/** Metadata that an update can neither set nor clear. */
const systemMetadata = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
] as const;

/** Root keys that are no part of the specification where status has a subresource. */
const notSpecification = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Brings an object from a client into the state in which it may be created: metadata that only the server
 * sets is dropped, status starts empty where it has a subresource, generation is 1 where the server keeps
 * it. Changes `object`.
 */
export function prepareForCreate(definition: ResourceDefinition, object: ApiObject): void {
  const { metadata } = object;
  for (const key of [
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
  ] as const)
    delete metadata[key];
  if (definition.rules.generation) metadata.generation = 1;
  if (definition.subresources.has('status') && !definition.rules.statusAtCreation)
    resetStatus(definition, object);
  definition.rules.prepareForCreate?.(object);
}

/**
 * Takes from the stored object what this update may not change: system metadata always, status in a write
 * to the resource, everything but status and metadata in a write to status. Generation grows by one where
 * the server keeps it and the specification changed. Changes `object`, never `old`.
 */
export function prepareForUpdate(
  definition: ResourceDefinition,
  object: ApiObject,
  ...from: UpdateFrom
): void {
  const [old, subresource = ''] = from;
  restoreSystemMetadata(object.metadata, old.metadata);
  if (definition.subresources.has('status')) {
    if (subresource === '') restore(object, old, 'status');
    if (subresource === 'status') restoreSpecification(object, old);
  }
  definition.rules.prepareForUpdate?.(object, old, subresource);
  if (definition.rules.generation && specificationChanged(definition, object, old))
    object.metadata.generation = nextGeneration(old.metadata.generation);
}

function resetStatus(definition: ResourceDefinition, object: ApiObject): void {
  if (definition.message.fields.get('status')?.alwaysPresent) object['status'] = {};
  else delete object['status'];
}

function restoreSystemMetadata(metadata: ObjectMeta, old: ObjectMeta): void {
  delete metadata.selfLink;
  for (const key of systemMetadata) restoreMember(metadata, old, key);
}

function restoreMember<Key extends keyof ObjectMeta>(metadata: ObjectMeta, old: ObjectMeta, key: Key): void {
  const value = old[key];
  if (value === undefined) delete metadata[key];
  else metadata[key] = value;
}

function restoreSpecification(object: ApiObject, old: ApiObject): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)]))
    if (!notSpecification.has(key)) restore(object, old, key);
}

/** Copies, so that later changes of the object do not reach the stored one. */
function restore(object: ApiObject, old: ApiObject, key: string): void {
  if (old[key] === undefined) delete object[key];
  else object[key] = copyJson(old[key]);
}

/** A status without a subresource is a part of the object like any other. */
function specificationChanged(definition: ResourceDefinition, object: ApiObject, old: ApiObject): boolean {
  const isSpecification = (key: string) =>
    !notSpecification.has(key) || (key === 'status' && !definition.subresources.has('status'));
  const isSame = (key: string) => {
    const type = definition.message.fields.get(key)?.type;
    return type === undefined ? equalJson(object[key], old[key]) : equalValues(type, object[key], old[key]);
  };
  return [...new Set([...Object.keys(object), ...Object.keys(old)])].some(
    key => isSpecification(key) && !isSame(key),
  );
}
