import type { ApiObject } from '@binnacle/api-objects';
import { objectKey, type ResourceDefinition } from '@binnacle/api-types';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { notFound } from '@binnacle/status-errors';
import {
  findStorageKey,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
} from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import type { ApiRequest } from '../../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../../request/names.ts';
import { isOfOtherVersion, serverConverted } from '../../versions/kept-forms.ts';
import { bufferFromBytes, objectAsStored, type ReadObject, readStored } from '../../versions/version-form.ts';
import type { WebhookConversions } from '../../versions/webhook-conversions.ts';

/** The services that read objects from the store. */
export interface CurrentServices {
  readonly storage: Storage;
  /** Objects of kinds that webhooks convert between versions. */
  readonly conversions: WebhookConversions;
}

/** An object of the store, parsed. */
export interface CurrentObject {
  readonly key: StorageKey;
  /** The object, with its resourceVersion. Not to be changed. */
  readonly object: ApiObject;
  readonly stored: Buffer;
  readonly revision: Revision;
  /** Whether it lacks defaults of its definition, which would make it larger than objects may be. */
  readonly isIncomplete: boolean;
  /** Whether it is stored with other keys than a write would have, so that a write without a change stores it. */
  readonly isStale: boolean;
}

/** The key of the request's object; throws NotFound for a name that no object can have. */
export function keyOfRequest(request: ApiRequest): StorageKey {
  const { definition, info } = request;
  const key = findStorageKey(objectKey(definition, namespaceOf(request), info.name));
  if (key === undefined || info.name.includes('/')) throw notFound(resourceNameOf(definition), info.name);
  return key;
}

/** The request's object, read linearizably from the store; undefined when there is none. */
export async function readCurrent(
  request: ApiRequest,
  services: CurrentServices,
): Promise<CurrentObject | undefined> {
  const key = keyOfRequest(request);
  const { record } = await services.storage.get(key, request.call);
  return record && currentFromRecord(request, services, record);
}

/**
 * A record of the store as an object of the request's version, which a webhook may have to convert; without a promise where none has
 * to and the object is short. Throws, or rejects with, a StatusError when that fails.
 */
export function currentFromRecord(
  { definition, call }: ApiRequest,
  { conversions }: Pick<CurrentServices, 'conversions'>,
  record: StorageRecord,
): CurrentObject | Promise<CurrentObject> {
  const { value, revision } = record;
  const reading = isWebhookConverted(definition)
    ? conversions.readStored(definition, bufferFromBytes(value), { revision, call })
    : readStored(serverConverted(definition), bufferFromBytes(value), revision);
  return currentFrom(record, reading);
}

/** A record as a current object; a long one is read in slices. */
function currentFrom(
  record: StorageRecord,
  reading: ReadObject | Promise<ReadObject>,
): CurrentObject | Promise<CurrentObject> {
  return reading instanceof Promise
    ? reading.then(read => currentObject(record, read))
    : currentObject(record, reading);
}

function currentObject(
  { key, value, revision, isStale = false }: StorageRecord,
  { object, fault }: ReadObject,
): CurrentObject {
  return {
    key,
    object,
    stored: bufferFromBytes(value),
    revision,
    isIncomplete: fault !== undefined,
    isStale,
  };
}

/**
 * A record of the store as an object to delete. Where a webhook converts the kind it is in the version that it is
 * stored in: a deletion depends on metadata alone, and no webhook may delay it.
 */
export function currentToDelete(
  definition: ResourceDefinition,
  record: StorageRecord,
): CurrentObject | Promise<CurrentObject> {
  const { value, revision } = record;
  return isWebhookConverted(definition)
    ? currentObject(record, { object: objectAsStored(definition, value, revision), fault: undefined })
    : currentFrom(record, readStored(serverConverted(definition), bufferFromBytes(value), revision));
}

/** Demands on a cached record of an object. */
interface WantedRecord {
  /** The resourceVersion that the client names; undefined or '': any. */
  readonly version?: string | undefined;
  /** Whether only its metadata counts, so that no webhook has to convert it. */
  readonly metadataAlone: boolean;
}

/**
 * The record of the request's object in the cache, which may be out of date; undefined when it has none, or none that
 * meets the demands. An object that a webhook has to convert is read from the store: the cached conversion may be old.
 */
export function findCached(
  request: ApiRequest,
  services: { readonly watchCache: WatchCache },
  { version = '', metadataAlone }: WantedRecord,
): StorageRecord | undefined {
  const { definition, info } = request;
  const cached = services.watchCache.find(definition)?.get(namespaceOf(request), info.name);
  if (cached === undefined) return undefined;
  const { key, stored: value, revision } = cached;
  if (version !== '' && version !== String(revision)) return undefined;
  if (!metadataAlone && isWebhookConverted(definition) && isOfOtherVersion(definition, value))
    return undefined;
  return { key, value, revision };
}
