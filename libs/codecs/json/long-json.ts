import { type JsonValue, readJson, readJsonSteps, writeJsonSteps } from '@binnacle/api-objects';
import { isLong, runInSlices } from '@binnacle/event-loop';

/** Parses JSON text that this server wrote, in slices if it is long. */
export function readWrittenJson(text: string): JsonValue | Promise<JsonValue> {
  return isLong(text.length) ? runInSlices(readJsonSteps(text, false)) : readJson(text, false);
}

/** Encodes an object as JSON text, in slices if its received or stored form has many bytes. */
export function writeLongJson(value: JsonValue, bytes: number): string | Promise<string> {
  return isLong(bytes) ? runInSlices(writeJsonSteps(value)) : JSON.stringify(value);
}
