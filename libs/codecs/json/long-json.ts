import { type JsonValue, readJson, readJsonSteps, writeJsonSteps } from '@binnacle/api-objects';
import { runInSlices } from '@binnacle/event-loop';

/** Reading and writing shorter texts takes a millisecond or two. */
const longText = 131_072;

/** Whether work on an object of so many bytes of JSON is done in slices. */
export function isLong(bytes: number): boolean {
  return bytes > longText;
}

/** Reads JSON text that this server wrote, long text in slices. */
export function readWrittenJson(text: string): JsonValue | Promise<JsonValue> {
  return isLong(text.length) ? runInSlices(readJsonSteps(text, false)) : readJson(text, false);
}

/** Writes an object about which a client sent so many bytes, or has stored them, as JSON text: in slices where they are many. */
export function writeLongJson(value: JsonValue, bytes: number): string | Promise<string> {
  return isLong(bytes) ? runInSlices(writeJsonSteps(value)) : JSON.stringify(value);
}
