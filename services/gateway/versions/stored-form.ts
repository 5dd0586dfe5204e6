import {
  type ApiObject,
  apiVersionOf,
  completionFault,
  copyJson,
  copyJsonSteps,
  equalJson,
  type JsonObject,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import {
  decodeLongStored,
  decodeStored,
  encodeLongStored,
  encodeStored,
  hasTag,
  storedFromJson,
} from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { isLong, runInSlices } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { convertedBytes, isOfOtherVersion } from './converted-bytes.ts';
import { isIncomplete, noteIncomplete } from './incomplete-objects.ts';
import type { WebhookConversions } from './webhook-conversions.ts';

/** Bytes in the form of other versions, by the stored bytes that they were made from: they live as long as those. */
const converted = new WeakMap<ResourceDefinition, WeakMap<Uint8Array, Buffer>>();

/** The services and the origin of an object that is to be stored. */
interface Storing {
  readonly conversions: WebhookConversions;
  readonly call: CallContext;
  /** The stored bytes that the object was made from; undefined for a new one. */
  readonly before?: Uint8Array | undefined;
  /** The bytes that a client sent about the object: where these, or the ones before, are many, it is written in slices; default 0. */
  readonly bytes?: number;
}

/**
 * The stored bytes of an object, as `storedFrom` gives them, without a promise unless a webhook has to convert the object or it
 * is long.
 */
export function storedForm(
  definition: ResourceDefinition,
  object: ApiObject,
  { conversions, call, before, bytes: sent = 0 }: Storing,
): Buffer | Promise<Buffer> {
  const bytes = Math.max(sent, before?.length ?? 0);
  if (definition.storage !== undefined && isWebhookConverted(definition))
    return conversions.toStorage(definition, object, { call, bytes });
  if (staysUntagged(definition, before)) return encodeLongStored(object, { bytes });
  return isLong(bytes) ? longStoredFrom(definition, object, bytes) : storedFrom(definition, object);
}

/**
 * The stored bytes of an object of the stored version, as `storedForm` gives them, from the JSON that admission wrote of it; undefined
 * where they have to be made.
 */
export function storedFromText(
  definition: ResourceDefinition,
  object: ApiObject,
  { json, before }: { readonly json: Uint8Array; readonly before: Uint8Array | undefined },
): Buffer | undefined {
  const tag = staysUntagged(definition, before) ? undefined : definition.rules.migration?.tag;
  return storedFromJson(object, json, tag);
}

/** Whether an object may lack defaults as it did before: without a tag this is found out when it is read. */
function staysUntagged(definition: ResourceDefinition, before: Uint8Array | undefined): boolean {
  return before !== undefined && definition.storage === undefined && isIncomplete(definition, before);
}

/**
 * The stored bytes of an object; one of a version that is not the stored one is converted first. Only for kinds that no
 * webhook converts.
 */
export function storedFrom(definition: ResourceDefinition, object: ApiObject): Buffer {
  const { storage, rules } = definition;
  if (storage === undefined) return encodeStored(object, rules.migration?.tag);
  const stored = copyJson(object);
  rules.conversion?.toStorage(stored);
  setKind(stored, storage);
  return encodeStored(stored);
}

/** The stored bytes as `storedFrom` gives them, in slices. */
async function longStoredFrom(
  definition: ResourceDefinition,
  object: ApiObject,
  bytes: number,
): Promise<Buffer> {
  const { storage, rules } = definition;
  if (storage === undefined) return await encodeLongStored(object, { bytes, tag: rules.migration?.tag });
  const stored = (await runInSlices(copyJsonSteps(object as JsonObject))) as ApiObject; // a copy of it
  rules.conversion?.toStorage(stored);
  setKind(stored, storage);
  return await encodeLongStored(stored, { bytes });
}

/**
 * The object that stored bytes hold, with its resourceVersion, in the version of the definition; without defaults where these
 * make it larger than objects may be, which is noted. What a webhook has to convert must be prepared.
 */
export function objectFromStored(
  definition: ResourceDefinition,
  stored: Uint8Array,
  revision: number,
): ApiObject {
  if (isWebhookConverted(definition) && isOfOtherVersion(definition, stored))
    return decodeStored(convertedBytes(definition, stored), revision);
  return shownFrom(definition, stored, decodeStored(stored, revision));
}

/** The same in slices, where the object is long. */
export function longObjectFromStored(
  definition: ResourceDefinition,
  stored: Uint8Array,
  revision: number,
): ApiObject | Promise<ApiObject> {
  if (isWebhookConverted(definition) && isOfOtherVersion(definition, stored))
    return decodeLongStored(convertedBytes(definition, stored), revision);
  const object = decodeLongStored(stored, revision);
  return object instanceof Promise
    ? object.then(read => shownFrom(definition, stored, read))
    : shownFrom(definition, stored, object);
}

function shownFrom(definition: ResourceDefinition, stored: Uint8Array, object: ApiObject): ApiObject {
  // Stored under the name by which its author knows the group.
  if (definition.rules.authored !== undefined) object.apiVersion = apiVersionOf(definition);
  if (isStoredForm(definition, stored)) return object;
  const { conversionWebhook, rules } = definition;
  if (conversionWebhook === undefined) {
    rules.conversion?.fromStorage(object);
    setKind(object, definition);
  }
  const fault = completionFault(() => {
    if (conversionWebhook === undefined) rules.migration?.complete(object, stored.length);
    else conversionWebhook.completeStored(object, stored.length);
  });
  noteIncomplete(definition, stored, fault);
  return object;
}

/** Whether stored bytes are an object of the definition as they lie: of its version, and stored under its rules. */
export function isStoredForm({ storage, rules }: ResourceDefinition, stored: Uint8Array): boolean {
  return storage === undefined && (rules.migration === undefined || hasTag(stored, rules.migration.tag));
}

/**
 * The object that stored bytes hold, with its resourceVersion, in the version that the bytes are in: where no more than
 * its metadata counts, no webhook has to convert it.
 */
export function objectAsStored(
  definition: ResourceDefinition,
  stored: Uint8Array,
  revision: number,
): ApiObject {
  return isWebhookConverted(definition)
    ? decodeStored(stored, revision)
    : objectFromStored(definition, stored, revision);
}

/** The stored bytes of an object that `objectAsStored` gave and whose metadata changed: they stay in their version. */
export function storedInPlace(definition: ResourceDefinition, object: ApiObject, before: Uint8Array): Buffer {
  return isStoredForm(definition, before) ? storedFrom(definition, object) : encodeStored(object);
}

/**
 * Whether stored bytes say what the object that was read from them shows. Bytes of another version, or from before the
 * rules changed, need not; an update that changes nothing then brings them up to date.
 */
export function isStoredAsShown(
  definition: ResourceDefinition,
  object: ApiObject,
  stored: Uint8Array,
): boolean {
  if (definition.storage !== undefined || isStoredForm(definition, stored)) return true;
  const raw = decodeStored(stored, 0);
  const { resourceVersion = '' } = object.metadata;
  raw.metadata.resourceVersion = resourceVersion;
  return equalJson(raw, object);
}

/**
 * Stored bytes as they would be if the definition's version were the stored one: for the stored version, and rules that
 * have not changed, the bytes themselves, for any other one converted once, however many readers and watchers want them.
 * What a webhook has to convert must be prepared.
 */
export function bytesInVersion(definition: ResourceDefinition, stored: Buffer): Buffer {
  if (isStoredForm(definition, stored)) return stored;
  if (isWebhookConverted(definition) && isOfOtherVersion(definition, stored))
    return convertedBytes(definition, stored);
  const known = converted.get(definition) ?? new WeakMap<Uint8Array, Buffer>();
  converted.set(definition, known);
  let bytes = known.get(stored);
  if (bytes === undefined) {
    // The resourceVersion is no part of the bytes.
    bytes = encodeStored(objectFromStored(definition, stored, 0));
    known.set(stored, bytes);
  }
  return bytes;
}

/** The object of `bytesInVersion`, in slices. Notes and keeps what it does. */
export async function longObjectInVersion(
  definition: ResourceDefinition,
  stored: Buffer,
  revision: number,
): Promise<ApiObject> {
  await prepareLong(definition, stored);
  return await decodeLongStored(bytesInVersion(definition, stored), revision);
}

/**
 * Makes what `bytesInVersion` gives, in slices, where stored bytes are long and are not those bytes themselves. Undefined where
 * there is nothing to do. What a webhook has to convert must be prepared.
 */
export function prepareLong(definition: ResourceDefinition, stored: Buffer): Promise<void> | undefined {
  if (!isLong(stored.length) || isStoredForm(definition, stored)) return undefined;
  if (isWebhookConverted(definition) && isOfOtherVersion(definition, stored)) return undefined;
  if (converted.get(definition)?.has(stored)) return undefined;
  return prepareInSlices(definition, stored);
}

async function prepareInSlices(definition: ResourceDefinition, stored: Buffer): Promise<void> {
  const object = await longObjectFromStored(definition, stored, 0);
  const bytes = await encodeLongStored(object, { bytes: stored.length });
  const known = converted.get(definition) ?? new WeakMap<Uint8Array, Buffer>();
  converted.set(definition, known);
  // Readers share the first one.
  if (!known.has(stored)) known.set(stored, bytes);
}

function setKind(object: ApiObject, definition: ResourceDefinition): void {
  object.kind = definition.kind;
  object.apiVersion = apiVersionOf(definition);
}
