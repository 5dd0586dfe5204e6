import type { JsonValue } from './json.ts';

/** `JSON.rawJSON`, which Node has and the type declarations lack. */
interface RawJson {
  rawJSON(text: string): unknown;
}
type Reviver = (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue;
type ReadWithSource = (text: string, reviver: Reviver) => JsonValue;

/** An integer with at least this many digits may exceed the precision of a double. */
const longNumber = 16;
/** A number with an exponent; may also match within strings. */
const exponent = /(?:^|[[,:\s])-?\d[\d.]*[eE]/;
const integerText = /^-?\d+$/;

// `JSON.stringify` refuses bigints without a `toJSON`. Defining it once per process covers every place that encodes an object,
// and costs nothing for values without bigints, unlike a replacer.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): unknown {
    return (JSON as typeof JSON & RawJson).rawJSON(this.toString()); // Node 24 has rawJSON.
  },
  writable: true,
  configurable: true,
});

/** Error for a number in JSON text beyond the range of doubles. */
export class NumberOutOfRange extends SyntaxError {
  constructor(text: string) {
    super(`the number ${text.length > 32 ? `${text.slice(0, 32)}…` : text} is out of range`);
  }
}

/**
 * Parses JSON text, with 64-bit integers as in `JsonValue`. Text that cannot contain such integers is parsed by `JSON.parse`
 * alone. Throws a SyntaxError for invalid JSON, and NumberOutOfRange for a number beyond the range of doubles. `hasExponents` is
 * false for text that this server wrote, which contains no exponents of large integers.
 */
export function readJson(text: string, hasExponents: boolean = exponent.test(text)): JsonValue {
  if (!hasExponents && !hasLongNumber(text)) return JSON.parse(text) as JsonValue; // The result of JSON.parse without a reviver.
  return (JSON.parse as ReadWithSource)(text, exactValue);
}

function exactValue(_: string, value: JsonValue, { source }: { readonly source?: string }): JsonValue {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return numberFromText(source);
}

/** Parses a JSON number: exact for a 64-bit integer, otherwise the nearest double. Throws NumberOutOfRange if that is infinite. */
export function numberFromText(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  if (!Number.isFinite(value)) throw new NumberOutOfRange(text);
  return integerText.test(text) ? numberFromInteger(BigInt(text)) : numberFromDouble(value);
}

/** Converts a double to the value that results from encoding it as JSON and parsing it. */
export function numberFromDouble(value: number): number | bigint {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= 2 ** 63;
  return isLarge ? numberFromInteger(BigInt(String(value))) : value;
}

/** Converts an integer: a bigint only if it fits into 64 bits and is not a safe integer, otherwise a double, possibly infinite. */
export function numberFromInteger(integer: bigint): number | bigint {
  const value = Number(integer);
  return Number.isSafeInteger(value) || BigInt.asIntN(64, integer) !== integer ? value : integer;
}

/** Whether a value is a number or a bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a value is a 64-bit integer. */
export function isInt64(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/**
 * Whether text may contain a number of at least 16 digits. It samples every 16th character, since each run of 16 digits contains
 * one.
 */
function hasLongNumber(text: string): boolean {
  const { length } = text;
  for (let at = longNumber - 1; at < length; at += longNumber) {
    if (!isDigit(text.charCodeAt(at))) continue;
    // A run of 16 digits around this one contains the character 8 before it or 8 after it.
    if (!isDigit(text.charCodeAt(at - 8)) && !isDigit(text.charCodeAt(at + 8))) continue;
    let start = at;
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < length && isDigit(text.charCodeAt(end))) end++;
    if (end - start >= longNumber && isNumberStart(text, start)) return true;
    // The character at the end is no digit, so the next run of 16 contains the character 16 after it.
    at = end;
  }
  return false;
}

/** Whether digits may start a number: in JSON a number follows a colon, comma, bracket, white space or the start of the text. */
function isNumberStart(text: string, start: number): boolean {
  const before = text[start - 1] === '-' ? start - 2 : start - 1;
  return before < 0 || ' \n\r\t:,['.includes(text[before]!);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
