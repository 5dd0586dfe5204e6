import { isJsonObject, type JsonObject, type JsonValue, readJsonSteps } from '@binnacle/api-objects';
import { runInSlices } from '@binnacle/event-loop';

/**
 * Reads the body that a webhook of conversion or admission has answered with, in slices if it is long.
 * Throws an Error with the reason for anything but an object.
 */
export async function readWebhookAnswer(body: Uint8Array): Promise<JsonObject> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  let value: JsonValue;
  try {
    value = await runInSlices(readJsonSteps(text));
  } catch {
    throw new Error('the answer is not JSON');
  }
  if (!isJsonObject(value)) throw new Error('the answer is not an object');
  return value;
}
