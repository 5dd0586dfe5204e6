import {
  type ApiObject,
  completionFault,
  copyJson,
  type DefaultsTooLarge,
  formatApiVersion,
  type JsonObject,
} from '@binnacle/api-objects';
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
import type { CallContext, Trace } from '@binnacle/proto';
import { createCallContext, withDeadline } from '@binnacle/rpc';
import { StatusError } from '@binnacle/status-errors';
import {
  findConversion,
  findForm,
  isOfOtherVersion,
  isStoredForm,
  keepForm,
  noteConversion,
  type VersionForm,
} from './kept-forms.ts';
import { formInVersion, type ReadObject, readForm, readStored } from './version-form.ts';

/**
 * Objects between the versions of kinds that webhooks convert.
 *
 * Everything that shows objects does so without waiting, from bytes in the version of its definition. So for these kinds what is
 * going to be shown is converted before: `formsInVersion` calls the webhook once for all that is missing, and what it gave is kept
 * beside the stored bytes, for every reader and watcher. Other kinds cost one look at their definition, and no promise.
 */
export interface WebhookConversions {
  /**
   * The forms of stored bytes in the version of a definition, in their order, converted by its webhook where they are of another. A
   * conversion that is older than half a minute is made anew, so that a webhook that was mended is heard, unless `anyAge`. No promise
   * where nothing is to be converted; rejects with a StatusError.
   */
  formsInVersion(
    definition: WebhookConverted,
    stored: readonly Buffer[],
    options: { readonly call?: CallContext; readonly anyAge?: boolean },
  ): readonly VersionForm[] | Promise<readonly VersionForm[]>;
  /** The object that stored bytes hold, in the version of a definition; a long one is read in slices. */
  readStored(
    definition: WebhookConverted,
    stored: Buffer,
    options: { readonly revision: number; readonly call: CallContext },
  ): ReadObject | Promise<ReadObject>;
  /** The stored bytes of an object, whose definition is not that of the stored form. */
  toStorage(definition: WebhookConverted, object: ApiObject, options: StoringOptions): Promise<Buffer>;
  /** A copy of an object, parts of which may be missing, in the version of a definition. */
  convert(to: WebhookConverted, object: JsonObject, call: CallContext): Promise<ApiObject>;
}

/** Options of bringing an object into the stored form. */
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

/** A conversion of stored objects for all requests that wait for them; it belongs to the trace of the first one. */
type Conversion = (
  definition: WebhookConverted,
  stored: readonly Uint8Array[],
  trace: Trace | undefined,
) => Promise<void>;

/** Creates the conversions of one gateway. */
export function createWebhookConversions(options: WebhookConversionsOptions): WebhookConversions {
  const { clock } = options;
  const convertAll = (to: WebhookConverted, objects: readonly ApiObject[], call: CallContext) =>
    convertedByWebhook(to, objects, { calls: options, call });

  const convertBatch: Conversion = async (definition, stored, trace) => {
    using call = createCallContext({ timeoutMs: conversionTimeoutSeconds * 1000, trace });
    const { objects, faults } = await objectsToConvert(definition, stored);
    const converted = await convertAll(definition, objects, call);
    await keepAll(definition, stored, { converted, faults, convertedAt: clock() });
  };

  const convertMissing: Conversion = async (definition, missing, trace) => {
    const begun = new Set(missing.flatMap(bytes => findConversion(definition, bytes) ?? []));
    const others = missing.filter(bytes => findConversion(definition, bytes) === undefined);
    const batches = createBatches(others).values();
    const begin = async (): Promise<void> => {
      for (const batch of batches) {
        const work = convertBatch(definition, batch, trace).finally(() => {
          for (const bytes of batch) noteConversion(definition, bytes, undefined);
        });
        for (const bytes of batch) noteConversion(definition, bytes, work);
        await work;
      }
    };
    await Promise.all([...begun, ...Array.from({ length: callsAtATime }, begin)]);
  };

  const formsInVersion: WebhookConversions['formsInVersion'] = (
    definition,
    stored,
    { call, anyAge = false },
  ) => {
    const oldest = anyAge ? Number.NEGATIVE_INFINITY : clock() - freshMs;
    const missing = stored.filter(
      bytes =>
        isOfOtherVersion(definition, bytes) &&
        !((findForm(definition, bytes)?.convertedAt ?? Number.NaN) >= oldest),
    );
    const forms = () => stored.map(bytes => readyForm(definition, bytes));
    if (missing.length === 0) return forms();
    const converting = convertMissing(definition, missing, call?.trace);
    return (call === undefined ? converting : withDeadline(converting, call)).then(forms);
  };

  return {
    formsInVersion,
    readStored(definition, stored, { revision, call }) {
      const reading = readStored(definition, stored, revision);
      if (reading !== undefined) return reading;
      const forms = formsInVersion(definition, [stored], { call });
      // There are as many forms as bytes.
      return forms instanceof Promise
        ? forms.then(([form]) => readForm(form!, revision))
        : readForm(forms[0]!, revision);
    },
    async toStorage(definition, object, { call, bytes }) {
      const { storage } = definition;
      if (storage === undefined || !isWebhookConverted(storage))
        throw new Error(`${formatApiVersion(definition)} is the stored version of its kind`);
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

/** Calls the webhook of a definition; throws a StatusError when that fails. */
async function convertedByWebhook(
  to: WebhookConverted,
  objects: readonly ApiObject[],
  how: { readonly calls: ConversionCalls; readonly call: CallContext },
): Promise<readonly ApiObject[]> {
  try {
    return await callConversionWebhook(to, objects, how);
  } catch (thrown) {
    if (!(thrown instanceof ConversionFailed)) throw thrown;
    const { message } = thrown;
    throw new StatusError({ reason: '', code: 500, message, details: {}, cause: thrown });
  }
}

/** The form of bytes that are of the version, or were converted: then it is kept as long as they live. */
function readyForm(definition: WebhookConverted, stored: Buffer): VersionForm {
  if (isStoredForm(definition, stored)) return { bytes: stored, fault: undefined, convertedAt: 0 };
  const form = formInVersion(definition, stored) ?? findForm(definition, stored);
  if (form === undefined) throw new Error(`a ${definition.kind} was not kept when it was converted`);
  return form;
}

/** Objects as the webhook gets them, and for each why it lacks defaults. */
interface ObjectsToConvert {
  readonly objects: readonly ApiObject[];
  readonly faults: readonly (DefaultsTooLarge | undefined)[];
}

async function objectsToConvert(
  definition: WebhookConverted,
  stored: readonly Uint8Array[],
): Promise<ObjectsToConvert> {
  const objects: ApiObject[] = [];
  const faults: (DefaultsTooLarge | undefined)[] = [];
  const { conversionWebhook } = definition;
  for (const bytes of stored) {
    if (sharedSlices.isOver()) await sharedSlices.yield();
    const reading = decodeLongStored(bytes, 0);
    const object = reading instanceof Promise ? await reading : reading;
    delete object.metadata.resourceVersion;
    faults.push(completionFault(() => conversionWebhook.completeStored(object, bytes.length)));
    objects.push(object);
  }
  return { objects, faults };
}

interface ConvertedObjects {
  readonly converted: readonly ApiObject[];
  readonly faults: ObjectsToConvert['faults'];
  readonly convertedAt: number;
}

/** Keeps the forms of objects that were converted; as many came back as went out. */
async function keepAll(
  definition: WebhookConverted,
  stored: readonly Uint8Array[],
  { converted, faults, convertedAt }: ConvertedObjects,
): Promise<void> {
  for (const [index, object] of converted.entries()) {
    if (sharedSlices.isOver()) await sharedSlices.yield();
    const before = stored[index]!; // likewise
    const encoding = encodeLongStored(object, { bytes: before.length });
    const bytes = encoding instanceof Promise ? await encoding : encoding;
    keepForm(definition, before, { bytes, fault: faults[index], convertedAt });
  }
}

function createBatches(stored: readonly Uint8Array[]): Uint8Array[][] {
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
