import { measureRest } from '@binnacle/codecs';

const noLabels: Readonly<Record<string, string>> = Object.freeze({});
const quote = 0x22;
const openBrace = 0x7b;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const labelsKey = Buffer.from('"labels"');

/**
 * Parses the labels of an object in stored form.
 *
 * The metadata of a stored object comes first: the scan skips its members up to `labels` and parses only that value.
 */
export function storedLabels(stored: Buffer): Readonly<Record<string, string>> {
  const start = startOfLabels(stored);
  if (start < 0) return noLabels;
  return labelsFrom(JSON.parse(stored.toString('utf8', start, endOfValue(stored, start))));
}

/** Encodes a label name as stored objects contain it; label names have no characters with two JSON encodings. */
export function storedLabelName(label: string): Buffer {
  return Buffer.from(JSON.stringify(label));
}

/**
 * Returns the value of one label of an object in stored form, its name encoded by `storedLabelName`; undefined if the object does
 * not have it. Does not parse the labels.
 */
export function storedLabel(stored: Buffer, name: Buffer): string | undefined {
  const start = startOfLabels(stored);
  if (start < 0 || stored[start] !== openBrace) return undefined;
  let position = start + 1;
  while (stored[position] === quote) {
    const nameEnd = endOfString(stored, position);
    const valueEnd = endOfString(stored, nameEnd + 1);
    if (isEqualPart(stored, position, nameEnd, name)) return textFrom(stored, nameEnd + 1, valueEnd);
    if (stored[valueEnd] !== comma) break;
    position = valueEnd + 1;
  }
  return undefined;
}

/** Whether the labels of two objects in stored form have equal bytes, or both are absent; does not parse them. */
export function sameStoredLabels(one: Buffer, other: Buffer): boolean {
  const start = startOfLabels(one);
  const otherStart = startOfLabels(other);
  if (start < 0 || otherStart < 0) return start < 0 && otherStart < 0;
  return one.compare(other, otherStart, endOfValue(other, otherStart), start, endOfValue(one, start)) === 0;
}

/** Returns the index of the labels' value; -1 if there are none. */
function startOfLabels(stored: Buffer): number {
  let position = stored.length - measureRest(stored);
  while (stored[position] === quote) {
    const keyEnd = endOfString(stored, position);
    if (stored[keyEnd] !== colon) break;
    if (isEqualPart(stored, position, keyEnd, labelsKey)) return keyEnd + 1;
    const valueEnd = endOfValue(stored, keyEnd + 1);
    if (stored[valueEnd] !== comma) break;
    position = valueEnd + 1;
  }
  return -1;
}

function isEqualPart(stored: Buffer, start: number, end: number, wanted: Buffer): boolean {
  if (end - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (stored[start + i] !== wanted[i]) return false;
  return true;
}

/** Decodes a JSON string with its quotes. */
function textFrom(stored: Buffer, start: number, end: number): string {
  for (let i = start + 1; i < end - 1; i++) {
    const byte = stored[i]!; // Within bounds.
    if (byte === backslash || byte >= 0x80) return JSON.parse(stored.toString('utf8', start, end)) as string; // A string has quotes.
  }
  return stored.toString('latin1', start + 1, end - 1);
}

function labelsFrom(value: unknown): Readonly<Record<string, string>> {
  // Stored objects were validated when written: labels are an object of strings, or null.
  return value === null ? noLabels : (value as Record<string, string>);
}

/** Returns the index after the string that begins at `start`. */
function endOfString(json: Buffer, start: number): number {
  for (let i = start + 1; i < json.length; i++) {
    const byte = json[i];
    if (byte === backslash) i++;
    else if (byte === quote) return i + 1;
  }
  return json.length;
}

/** Returns the index after the JSON value, without white space, that begins at `start`. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  let i = start;
  while (i < json.length) {
    const byte = json[i]!; // Within bounds.
    if (byte === quote) {
      i = endOfString(json, i);
      if (depth === 0) return i;
      continue;
    }
    if (byte === openBrace || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return i;
      depth--;
      if (depth === 0) return i + 1;
    } else if (byte === comma && depth === 0) return i;
    i++;
  }
  return i;
}
