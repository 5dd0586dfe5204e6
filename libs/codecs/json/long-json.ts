import { type JsonValue, readJson, readJsonSteps, writeJsonSteps } from '@binnacle/api-objects';
import { isLong, runInSlices } from '@binnacle/event-loop';

/** Reads JSON text that this server wrote, long text in slices. */
export function readWrittenJson(text: string): JsonValue | Promise<JsonValue> {
  return isLong(text.length) ? runInSlices(readJsonSteps(text, false)) : readJson(text, false);
}

/** Writes an object about which a client sent so many bytes, or has stored them, as JSON text: in slices where they are many. */
export function writeLongJson(value: JsonValue, bytes: number): string | Promise<string> {
  return isLong(bytes) ? runInSlices(writeJsonSteps(value)) : JSON.stringify(value);
}
