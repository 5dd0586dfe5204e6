import { type ApiObject, copyJson, copyJsonSteps, equalJson, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, encodeLongStored, encodeStored, storedFromJson } from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { isLong, runInSlices } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { isStoredForm } from './kept-forms.ts';
import { setKind } from './version-form.ts';
import type { WebhookConversions } from './webhook-conversions.ts';

/** A stored object in place of which another one is stored. */
interface Before {
  readonly stored: Uint8Array;
  /** Whether it lacks defaults of its definition, which would make it larger than objects may be. */
  readonly isIncomplete: boolean;
}

/** The services and the origin of an object that is to be stored. */
interface Storing {
  readonly conversions: WebhookConversions;
  readonly call: CallContext;
  /** The stored object that it was made from; undefined for a new one. */
  readonly before?: Before | undefined;
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
  const bytes = Math.max(sent, before?.stored.length ?? 0);
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
  { json, before }: { readonly json: Uint8Array; readonly before: Before | undefined },
): Buffer | undefined {
  const tag = staysUntagged(definition, before) ? undefined : definition.rules.migration?.tag;
  return storedFromJson(object, json, tag);
}

/** Whether an object may lack defaults as it did before: without a tag this is found out when it is read. */
function staysUntagged(definition: ResourceDefinition, before: Before | undefined): boolean {
  return before?.isIncomplete === true && definition.storage === undefined;
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

/** The stored bytes of an object that `objectAsStored` gave and whose metadata changed: they stay in their version. */
export function storedInPlace(definition: ResourceDefinition, object: ApiObject, before: Buffer): Buffer {
  return isStoredForm(definition, before) ? storedFrom(definition, object) : encodeStored(object);
}

/**
 * Whether stored bytes say what the object that was read from them shows. Bytes of another version, or from before the
 * rules changed, need not; an update that changes nothing then brings them up to date.
 */
export function isStoredAsShown(definition: ResourceDefinition, object: ApiObject, stored: Buffer): boolean {
  if (definition.storage !== undefined || isStoredForm(definition, stored)) return true;
  const raw = decodeStored(stored, 0);
  const { resourceVersion = '' } = object.metadata;
  raw.metadata.resourceVersion = resourceVersion;
  return equalJson(raw, object);
}
