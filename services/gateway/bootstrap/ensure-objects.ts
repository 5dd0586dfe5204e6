import {
  type ApiObject,
  apiVersionOf,
  copyJson,
  equalJson,
  type JsonObject,
  randomUid,
  timestampFrom,
} from '@binnacle/api-objects';
import {
  applyDefaults,
  objectKey,
  prepareForCreate,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { autoupdateAnnotation, type BootstrapObject } from './bootstrap-objects.ts';

/** What objects are created with. */
export interface EnsureServices {
  readonly registry: TypeRegistry;
  readonly storage: Pick<Storage, 'get' | 'transact'>;
  readonly clock: () => number;
}

const atOnce = 8;

/**
 * Makes sure that objects exist and hold at least their default entries. Every write is a compare-and-swap, so any
 * number of servers may do this at the same time. Answers how many objects it wrote.
 */
export async function ensureObjects(
  objects: readonly BootstrapObject[],
  services: EnsureServices,
  call: CallContext,
): Promise<number> {
  let written = 0;
  for (let start = 0; start < objects.length; start += atOnce) {
    const part = objects.slice(start, start + atOnce);
    const outcomes = await Promise.all(part.map(object => ensureObject(object, services, call)));
    written += outcomes.filter(Boolean).length;
  }
  return written;
}

async function ensureObject(
  object: BootstrapObject,
  services: EnsureServices,
  call: CallContext,
): Promise<boolean> {
  const definition = services.registry.resource(object.group, object.version, object.resource);
  // A type that is switched off has no objects.
  if (definition === undefined) return false;
  const key = storageKeyFrom(objectKey(definition, '', object.name));
  const { record } = await services.storage.get(key, call);
  if (record === undefined) {
    const value = encodeStored(newObject(object, definition, services.clock()));
    return await commit({ key, value, revision: 0 }, services, call);
  }
  const current = decodeStored(record.value, record.revision);
  const updated = withMissingEntries(current, object);
  if (updated === undefined) return false;
  return await commit({ key, value: encodeStored(updated), revision: record.revision }, services, call);
}

/** Another server that was faster wrote the same. */
async function commit(
  { key, value, revision }: { key: StorageKey; value: Buffer; revision: number },
  { storage }: EnsureServices,
  call: CallContext,
): Promise<boolean> {
  const preconditions = [{ key, revision }];
  const outcome = await storage.transact({ preconditions, puts: [{ key, value }], deletes: [] }, call);
  return outcome.committed;
}

/** The object as it is created, with what the server adds to it. */
export function newObject(object: BootstrapObject, definition: ResourceDefinition, now: number): ApiObject {
  const content = copyJson(object.content) as JsonObject;
  const created = {
    ...content,
    apiVersion: apiVersionOf(definition),
    kind: definition.kind,
    metadata: { ...(content['metadata'] as JsonObject), name: object.name },
  } as ApiObject; // Built from data that is written in the shape of its kind.
  applyDefaults(definition, created);
  prepareForCreate(definition, created);
  Object.assign(created.metadata, { uid: randomUid(), creationTimestamp: timestampFrom(now) });
  return created;
}

/** The object with the default entries that it lacks; undefined when it lacks none or does not want them. */
export function withMissingEntries(current: ApiObject, object: BootstrapObject): ApiObject | undefined {
  if (current.metadata.annotations?.[autoupdateAnnotation] === 'false') return undefined;
  const updated = copyJson(current) as ApiObject;
  let changed = false;
  for (const field of object.reconciled) {
    const present = Array.isArray(updated[field]) ? updated[field] : [];
    const wanted = object.content[field];
    if (!Array.isArray(wanted)) continue;
    const missing = wanted.filter(entry => !present.some(other => equalJson(other, entry)));
    if (missing.length > 0) changed = true;
    updated[field] = [...present, ...missing];
  }
  return changed ? updated : undefined;
}
