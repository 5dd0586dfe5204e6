import { readJson } from '@binnacle/api-objects';

/** Members and indexes on the way to a value. */
export type JsonPath = readonly (string | number)[];

/** A string of a JSON text, with its place. The paths are valid only until the next string, since they are changed in place. */
interface JsonString {
  readonly text: string;
  readonly isKey: boolean;
  /** Path to the string, with rewritten keys; for a key, the path to its object. */
  readonly path: JsonPath;
  /** The same path with the original keys. */
  readonly originalPath: JsonPath;
}

interface Frame {
  readonly isObject: boolean;
  expectsKey: boolean;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Rewrites strings of a valid JSON text; all else stays unchanged, to the letter. `rewrite` returns the new text of a string, or
 * undefined to keep it.
 */
export function rewriteJson(json: string, rewrite: (found: JsonString) => string | undefined): string {
  const frames: Frame[] = [];
  const path: (string | number)[] = [];
  const originalPath: (string | number)[] = [];
  let written = '';
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const frame = frames.at(-1);
    switch (json.charCodeAt(at)) {
      case quote: {
        const end = endOfString(json, at);
        const raw = json.slice(at, end);
        const text = raw.includes('\\') ? String(readJson(raw, false)) : raw.slice(1, -1);
        const isKey = frame?.isObject === true && frame.expectsKey;
        const place = isKey
          ? { path: path.slice(0, -1), originalPath: originalPath.slice(0, -1) }
          : { path, originalPath };
        const other = rewrite({ text, isKey, ...place });
        if (other !== undefined && other !== text) {
          written += json.slice(copied, at) + JSON.stringify(other);
          copied = end;
        }
        if (isKey && frame) {
          path[path.length - 1] = other ?? text;
          originalPath[originalPath.length - 1] = text;
          frame.expectsKey = false;
        }
        at = end - 1;
        break;
      }
      case 0x7b: // {
        frames.push({ isObject: true, expectsKey: true });
        path.push('');
        originalPath.push('');
        break;
      case 0x5b: // [
        frames.push({ isObject: false, expectsKey: false });
        path.push(0);
        originalPath.push(0);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        frames.pop();
        path.pop();
        originalPath.pop();
        break;
      case 0x2c: // ,
        if (frame?.isObject) frame.expectsKey = true;
        else if (frame) {
          path[path.length - 1] = Number(path.at(-1)) + 1;
          originalPath[originalPath.length - 1] = Number(originalPath.at(-1)) + 1;
        }
    }
  }
  return written + json.slice(copied);
}

/** Finds the index after the closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw new Error('the text is not JSON');
}
