import {
  type ApiObject,
  apiVersionOf,
  completionFault,
  copyJson,
  type JsonObject,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeLongStored, encodeLongStored } from '@binnacle/codecs';
import {
  type ConversionCalls,
  ConversionFailed,
  callConversionWebhook,
  conversionTimeoutSeconds,
  isWebhookConverted,
  type WebhookConverted,
} from '@binnacle/conversion-webhooks';
import { sharedSlices } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { createCallContext, withDeadline } from '@binnacle/rpc';
import { StatusError } from '@binnacle/status-errors';
import { convertedAt, isOfOtherVersion, keepConverted } from './converted-bytes.ts';
import { noteIncomplete } from './incomplete-objects.ts';

/**
 * Objects between the versions of kinds that webhooks convert.
 *
 * Everything that reads stored bytes does so without waiting. So for these kinds what is going to be read is converted
 * before: `prepare` calls the webhook once for all that is missing, and what it gave is kept beside the stored bytes, for
 * every reader and watcher. Other kinds cost one look at their definition, and no promise.
 */
export interface WebhookConversions {
  /** Whether stored bytes can be shown in the version of a definition as things are. */
  isPrepared(definition: ResourceDefinition, stored: Uint8Array): boolean;
  /**
   * Has stored bytes converted that are not. A conversion that is older than half a minute is made anew, so that a webhook
   * that was mended is heard, unless `anyAge`. Undefined when there is nothing to do; rejects with a StatusError.
   */
  prepare(
    definition: ResourceDefinition,
    stored: readonly Uint8Array[],
    options: { readonly call?: CallContext; readonly anyAge?: boolean },
  ): Promise<void> | undefined;
  /** The stored bytes of an object, whose definition is not that of the stored form. */
  toStorage(definition: WebhookConverted, object: ApiObject, options: StoringOptions): Promise<Buffer>;
  /** A copy of an object, parts of which may be missing, in the version of a definition. */
  convert(to: WebhookConverted, object: JsonObject, call: CallContext): Promise<ApiObject>;
}

/** How an object is brought into the stored form. */
interface StoringOptions {
  readonly call: CallContext;
  /** The bytes that a client sent about the object, or has stored of it. */
  readonly bytes: number;
}

/** Options of conversions. */
interface WebhookConversionsOptions extends ConversionCalls {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const freshMs = 30_000;
/** Objects of a list go to the webhook in calls of about this size, a few at a time. */
const bytesOfCall = 1024 * 1024;
const callsAtATime = 4;

/** Creates the conversions of one gateway. */
export function createWebhookConversions(options: WebhookConversionsOptions): WebhookConversions {
  const { clock } = options;
  const underWay = new WeakMap<ResourceDefinition, WeakMap<Uint8Array, Promise<void>>>();

  const convertAll = async (
    to: WebhookConverted,
    objects: readonly ApiObject[],
    call: CallContext,
  ): Promise<readonly ApiObject[]> => {
    try {
      return await callConversionWebhook(to, objects, { calls: options, call });
    } catch (thrown) {
      if (!(thrown instanceof ConversionFailed)) throw thrown;
      const { message } = thrown;
      throw new StatusError({ reason: '', code: 500, message, details: {}, cause: thrown });
    }
  };

  const convertStored = async (definition: WebhookConverted, stored: readonly Uint8Array[]) => {
    using call = createCallContext({ timeoutMs: conversionTimeoutSeconds * 1000 });
    const converted = await convertAll(definition, await objectsToConvert(definition, stored), call);
    await keepAll(definition, stored, { converted, at: clock() });
  };

  const prepareMissing = async (definition: WebhookConverted, missing: readonly Uint8Array[]) => {
    const known = underWay.get(definition) ?? new WeakMap<Uint8Array, Promise<void>>();
    underWay.set(definition, known);
    const begun = new Set(missing.flatMap(bytes => known.get(bytes) ?? []));
    const batches = batchesOf(missing.filter(bytes => !known.has(bytes))).values();
    const begin = async (): Promise<void> => {
      for (const batch of batches) {
        const work = convertStored(definition, batch).finally(() => {
          for (const bytes of batch) known.delete(bytes);
        });
        for (const bytes of batch) known.set(bytes, work);
        await work;
      }
    };
    await Promise.all([...begun, ...Array.from({ length: callsAtATime }, begin)]);
  };

  const isPrepared = (definition: ResourceDefinition, stored: Uint8Array): boolean =>
    !isWebhookConverted(definition) ||
    !isOfOtherVersion(definition, stored) ||
    convertedAt(definition, stored) !== undefined;

  return {
    isPrepared,
    prepare(definition, stored, { call, anyAge = false }) {
      if (!isWebhookConverted(definition)) return undefined;
      const oldest = anyAge ? Number.NEGATIVE_INFINITY : clock() - freshMs;
      const missing = stored.filter(
        bytes =>
          isOfOtherVersion(definition, bytes) && !((convertedAt(definition, bytes) ?? Number.NaN) >= oldest),
      );
      if (missing.length === 0) return undefined;
      const prepared = prepareMissing(definition, missing);
      return call === undefined ? prepared : withDeadline(prepared, call);
    },
    async toStorage(definition, object, { call, bytes }) {
      const { storage } = definition;
      if (storage === undefined || !isWebhookConverted(storage))
        throw new Error(`${apiVersionOf(definition)} is the stored version of its kind`);
      const { resourceVersion: _, ...metadata } = object.metadata;
      const sent = { ...object, metadata };
      const [converted = sent] = await convertAll(storage, [sent], call);
      return await encodeLongStored(converted, { bytes });
    },
    async convert(to, object, call) {
      const sent = copyJson(object) as ApiObject; // the converted part need have no more than metadata
      sent.metadata ??= {};
      const [converted = sent] = await convertAll(to, [sent], call);
      return converted;
    },
  };
}

async function objectsToConvert(
  definition: WebhookConverted,
  stored: readonly Uint8Array[],
): Promise<ApiObject[]> {
  const objects: ApiObject[] = [];
  for (const bytes of stored) {
    if (sharedSlices.isOver()) await sharedSlices.yield();
    const object = decodeLongStored(bytes, 0);
    objects.push(objectToConvert(definition, bytes, object instanceof Promise ? await object : object));
  }
  return objects;
}

/** Keeps the bytes of objects that were converted; as many came back as went out. */
async function keepAll(
  definition: WebhookConverted,
  stored: readonly Uint8Array[],
  { converted, at }: { readonly converted: readonly ApiObject[]; readonly at: number },
): Promise<void> {
  for (const [index, object] of converted.entries()) {
    if (sharedSlices.isOver()) await sharedSlices.yield();
    const before = stored[index]!; // likewise
    const bytes = encodeLongStored(object, { bytes: before.length });
    keepConverted(definition, before, { bytes: bytes instanceof Promise ? await bytes : bytes, at });
  }
}

/** An object that was read from stored bytes as the webhook gets it. */
function objectToConvert(definition: WebhookConverted, stored: Uint8Array, object: ApiObject): ApiObject {
  delete object.metadata.resourceVersion;
  const { conversionWebhook } = definition;
  const fault = completionFault(() => conversionWebhook.completeStored(object, stored.length));
  noteIncomplete(definition, stored, fault);
  return object;
}

function batchesOf(stored: readonly Uint8Array[]): Uint8Array[][] {
  const batches: Uint8Array[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of stored) {
    if (bytes + one.length > bytesOfCall) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(one);
    bytes += one.length;
  }
  return batches;
}
