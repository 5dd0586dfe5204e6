import { type ApiObject, apiVersionOf, completionFault, copyJson, equalJson } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeLongStored, decodeStored, encodeStored, hasTag } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import { convertedBytes, isOfOtherVersion, isWebhookConverted } from './converted-bytes.ts';
import { isIncomplete, noteIncomplete } from './incomplete-objects.ts';
import type { WebhookConversions } from './webhook-conversions.ts';

/** Bytes in the form of other versions, by the stored bytes that they were made from: they live as long as those. */
const converted = new WeakMap<ResourceDefinition, WeakMap<Uint8Array, Buffer>>();

/** The services and the origin of an object that is to be stored. */
interface Storing {
  readonly conversions: WebhookConversions;
  readonly call: CallContext;
  /** The stored bytes that the object was made from; undefined for a new one. */
  readonly before?: Uint8Array;
}

/** The stored bytes of an object, as `storedFrom` gives them; a webhook may have to convert the object. */
export async function storedForm(
  definition: ResourceDefinition,
  object: ApiObject,
  { conversions, call, before }: Storing,
): Promise<Buffer> {
  if (definition.storage !== undefined && isWebhookConverted(definition))
    return await conversions.toStorage(definition, object, call);
  // It may lack defaults as before: without a tag this is found out when it is read.
  if (before !== undefined && isIncomplete(definition, before) && definition.storage === undefined)
    return encodeStored(object);
  return storedFrom(definition, object);
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
  // Under the name that the author of its webhooks knows the group by.
  if (definition.rules.webhookClients !== undefined) object.apiVersion = apiVersionOf(definition);
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

function setKind(object: ApiObject, definition: ResourceDefinition): void {
  object.kind = definition.kind;
  object.apiVersion = apiVersionOf(definition);
}
