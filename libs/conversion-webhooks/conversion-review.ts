import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeJsonSteps,
} from '@binnacle/api-objects';
import { canonicalApiVersion } from '@binnacle/api-types';
import { runInSlices } from '@binnacle/event-loop';
import { readWebhookAnswer } from './webhook-answer.ts';

const reviewKind = 'ConversionReview';

/** The request to a conversion webhook. */
export interface ConversionQuestion {
  /** Version of the ConversionReview. */
  readonly reviewVersion: 'v1' | 'v1beta1';
  /** Group of the ConversionReview: its name, or an alias. */
  readonly reviewGroup: string;
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly ApiObject[];
}

/** Serializes the ConversionReview for a webhook, in slices if it is long. */
export async function writeConversionReview(question: ConversionQuestion): Promise<Buffer> {
  const { reviewVersion, reviewGroup, uid, desiredAPIVersion, objects } = question;
  const review = {
    kind: reviewKind,
    apiVersion: `${reviewGroup}/${reviewVersion}`,
    request: { uid, desiredAPIVersion, objects: [...objects] as JsonObject[] },
  };
  return Buffer.from(await runInSlices(writeJsonSteps(review)));
}

/**
 * Parses the converted objects of an answer, in slices if it is long. Throws an Error with the reason for an invalid or
 * failed answer.
 */
export async function parseConversionReview(
  body: Uint8Array,
  question: ConversionQuestion,
): Promise<readonly JsonObject[]> {
  const { kind, apiVersion, response } = await readWebhookAnswer(body);
  const expected = `${question.reviewGroup}/${question.reviewVersion}`;
  if (
    kind !== reviewKind ||
    typeof apiVersion !== 'string' ||
    canonicalApiVersion(apiVersion) !== canonicalApiVersion(expected)
  )
    throw new Error(
      `the answer should be a ${reviewKind} of ${expected}, and is ${shown(kind)} of ${shown(apiVersion)}`,
    );
  if (!isJsonObject(response)) throw new Error('the answer has no response');
  const { uid, result, convertedObjects } = response;
  // v1beta1 does not require the uid in the response.
  if (question.reviewVersion === 'v1' && uid !== question.uid)
    throw new Error(`response.uid should be ${question.uid}, and is ${shown(uid)}`);
  assertSuccess(result);
  const objects = Array.isArray(convertedObjects) ? convertedObjects : [];
  if (objects.length !== question.objects.length)
    throw new Error(`${question.objects.length} objects were sent, and ${objects.length} were returned`);
  return objects.map((object, index) => {
    if (!isJsonObject(object)) throw new Error(`the returned value at index ${index} is not an object`);
    return object;
  });
}

function assertSuccess(result: JsonValue | undefined): void {
  const { status, message } = isJsonObject(result) ? result : {};
  if (status === 'Success') return;
  throw new Error(
    typeof message === 'string' && message !== ''
      ? message
      : `response.result.status should be Success, and is ${shown(status)}`,
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 128);
}
