import { type ApiObject, copyJson, equalJson, nextGeneration, type ObjectMeta } from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { equalValues } from '../values/equal-values.ts';

/** The object before the update, and the written subresource; '' or absent for the main resource. */
export type UpdateFrom = readonly [old: ApiObject, subresource?: string];

/** Metadata that an update can neither set nor remove. */
const systemMetadata = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
] as const;

/** Root keys outside the spec for kinds with a status subresource. */
const notSpecification = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Prepares an object from a client for its creation: removes metadata that only the server sets, clears the status of kinds with
 * a status subresource, and sets the generation to 1 if the server manages it. Modifies `object`.
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
 * Restores parts of the stored object that this update must not change: always system metadata, the status in a write to the main
 * resource, everything except status and metadata in a write to status. Increments the generation if the server manages it and
 * the spec changed. Modifies `object`, never `old`.
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

/** Copies the value, so that later changes of the object do not affect the stored one. */
function restore(object: ApiObject, old: ApiObject, key: string): void {
  if (old[key] === undefined) delete object[key];
  else object[key] = copyJson(old[key]);
}

/** Whether the spec changed; without a status subresource it includes the status. */
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
