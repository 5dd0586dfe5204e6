import { storedParts } from '@binnacle/codecs';

const noLabels: Readonly<Record<string, string>> = Object.freeze({});
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const labelsKey = Buffer.from('"labels"');

/**
 * The labels of an object in stored form.
 *
 * The metadata of a stored object comes first, so its members are stepped over up to `labels` and only that part is
 * parsed: the rest of the object is not looked at.
 */
export function storedLabels(stored: Buffer): Readonly<Record<string, string>> {
  const { json, prefixLength } = storedParts(stored);
  let position = prefixLength;
  while (json[position] === quote) {
    const keyEnd = endOfString(json, position);
    if (json[keyEnd] !== colon) break;
    const valueEnd = endOfValue(json, keyEnd + 1);
    if (
      keyEnd - position === labelsKey.length &&
      json.compare(labelsKey, 0, labelsKey.length, position, keyEnd) === 0
    ) {
      return labelsFrom(JSON.parse(json.toString('utf8', keyEnd + 1, valueEnd)));
    }
    if (json[valueEnd] !== comma) break;
    position = valueEnd + 1;
  }
  return noLabels;
}

function labelsFrom(value: unknown): Readonly<Record<string, string>> {
  // Stored objects were checked when they were written: labels are an object of texts, or null.
  return value === null ? noLabels : (value as Record<string, string>);
}

/** The position after the string that begins at `start`. */
function endOfString(json: Buffer, start: number): number {
  for (let i = start + 1; i < json.length; i++) {
    const byte = json[i];
    if (byte === backslash) i++;
    else if (byte === quote) return i + 1;
  }
  return json.length;
}

/** The position after the JSON value that begins at `start`, written without white space. */
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
    if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return i;
      depth--;
      if (depth === 0) return i + 1;
    } else if (byte === comma && depth === 0) return i;
    i++;
  }
  return i;
}
