import {
  type ApiObject,
  completionFault,
  type DefaultsTooLarge,
  formatApiVersion,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeLongStored, decodeStored, encodeLongStored, encodeStored } from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { isLong } from '@binnacle/event-loop';
import {
  findForm,
  isOfOtherVersion,
  isStoredForm,
  keepForm,
  type ServerConverted,
  type VersionBytes,
  type VersionForm,
} from './kept-forms.ts';

/** The object that stored bytes hold, in the version of a definition. */
export interface ReadObject {
  /** With its resourceVersion. */
  readonly object: ApiObject;
  /**
   * The reason why it lacks the defaults of its definition, which would make it larger than objects may be; undefined:
   * it has them.
   */
  readonly fault: DefaultsTooLarge | undefined;
}

/** The object that stored bytes hold, with its resourceVersion, in the version of the definition. */
export function objectFromStored(
  definition: ServerConverted,
  stored: Uint8Array,
  revision: number,
): ApiObject {
  const object = decodeStored(stored, revision);
  bringIntoVersion(definition, bufferFromBytes(stored), object);
  return object;
}

/**
 * The object that stored bytes hold, in the version of the definition, in slices where it is long; undefined where a webhook
 * has to convert it.
 */
export function readStored(
  definition: ServerConverted,
  stored: Buffer,
  revision: number,
): ReadObject | Promise<ReadObject>;
export function readStored(
  definition: ResourceDefinition,
  stored: Buffer,
  revision: number,
): ReadObject | Promise<ReadObject> | undefined;
export function readStored(
  definition: ResourceDefinition,
  stored: Buffer,
  revision: number,
): ReadObject | Promise<ReadObject> | undefined {
  if (isWebhookConverted(definition) && isOfOtherVersion(definition, stored)) return undefined;
  const object = decodeLongStored(stored, revision);
  const read = (decoded: ApiObject): ReadObject => ({
    object: decoded,
    fault: bringIntoVersion(definition, stored, decoded),
  });
  return object instanceof Promise ? object.then(read) : read(object);
}

/** The object of a form, in slices where it is long. */
export function readForm({ bytes, fault }: VersionForm, revision: number): ReadObject | Promise<ReadObject> {
  const object = decodeLongStored(bytes, revision);
  return object instanceof Promise ? object.then(decoded => ({ object: decoded, fault })) : { object, fault };
}

/** Brings an object that was read from stored bytes into the version of the definition; tells why it lacks defaults. */
function bringIntoVersion(
  definition: ResourceDefinition,
  stored: Buffer,
  object: ApiObject,
): DefaultsTooLarge | undefined {
  // Stored under the name by which its author knows the group.
  if (definition.rules.authored !== undefined) object.apiVersion = formatApiVersion(definition);
  if (isStoredForm(definition, stored)) return undefined;
  const { conversionWebhook, rules } = definition;
  if (conversionWebhook === undefined) {
    rules.conversion?.fromStorage(object);
    setKind(object, definition);
  }
  return completionFault(() => {
    if (conversionWebhook === undefined) rules.migration?.complete(object, stored.length);
    else conversionWebhook.completeStored(object, stored.length);
  });
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
  const object = decodeStored(stored, revision);
  if (!isWebhookConverted(definition)) bringIntoVersion(definition, bufferFromBytes(stored), object);
  return object;
}

/**
 * Stored bytes as they would be if the definition's version were the stored one: for the stored version, and rules that
 * have not changed, the bytes themselves, for any other one converted once, however many readers and watchers want them.
 * Undefined where a webhook has to convert them first.
 */
export function bytesInVersion(definition: ServerConverted, stored: Buffer): VersionBytes;
export function bytesInVersion(definition: ResourceDefinition, stored: Buffer): VersionBytes | undefined;
export function bytesInVersion(definition: ResourceDefinition, stored: Buffer): VersionBytes | undefined {
  return isStoredForm(definition, stored) ? stored : formInVersion(definition, stored)?.bytes;
}

/** The form whose bytes `bytesInVersion` gives, of bytes that are not in the stored form. */
export function formInVersion(definition: ServerConverted, stored: Buffer): VersionForm;
export function formInVersion(definition: ResourceDefinition, stored: Buffer): VersionForm | undefined;
export function formInVersion(definition: ResourceDefinition, stored: Buffer): VersionForm | undefined {
  if (isWebhookConverted(definition) && isOfOtherVersion(definition, stored)) return undefined;
  const found = findForm(definition, stored);
  if (found !== undefined) return found;
  // The resourceVersion is no part of the bytes.
  const object = decodeStored(stored, 0);
  const fault = bringIntoVersion(definition, stored, object);
  return keepForm(definition, stored, { bytes: encodeStored(object), fault });
}

/** The form as `formInVersion` gives it, made in slices where the object is long. */
export function longFormInVersion(
  definition: ServerConverted,
  stored: Buffer,
): VersionForm | Promise<VersionForm>;
export function longFormInVersion(
  definition: ResourceDefinition,
  stored: Buffer,
): VersionForm | Promise<VersionForm> | undefined;
export function longFormInVersion(
  definition: ResourceDefinition,
  stored: Buffer,
): VersionForm | Promise<VersionForm> | undefined {
  if (!isLong(stored.length) || findForm(definition, stored) !== undefined)
    return formInVersion(definition, stored);
  const reading = readStored(definition, stored, 0);
  return reading && formFrom(definition, stored, reading);
}

async function formFrom(
  definition: ResourceDefinition,
  stored: Buffer,
  reading: ReadObject | Promise<ReadObject>,
): Promise<VersionForm> {
  const { object, fault } = await reading;
  const bytes = await encodeLongStored(object, { bytes: stored.length });
  // Readers share the first one.
  return findForm(definition, stored) ?? keepForm(definition, stored, { bytes, fault });
}

/** Stored bytes as a Buffer over the same memory. */
export function bufferFromBytes(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Gives an object kind and apiVersion of a definition. */
export function setKind(object: ApiObject, definition: ResourceDefinition): void {
  object.kind = definition.kind;
  object.apiVersion = formatApiVersion(definition);
}
