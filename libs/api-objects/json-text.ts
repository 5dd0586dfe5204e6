import type { JsonValue } from './json.ts';

/** The part of `JSON` that Node has and the declarations of the language lack. */
interface RawJson {
  rawJSON(text: string): unknown;
}
type Reviver = (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue;
type ReadWithSource = (text: string, reviver: Reviver) => JsonValue;

/** So many digits may make an integer that a double does not hold. */
const longNumber = 16;
/** A number with an exponent; strings may have the like of it. */
const exponent = /(?:^|[[,:\s])-?\d[\d.]*[eE]/;
const integerText = /^-?\d+$/;

// `JSON.stringify` refuses bigints unless they say how they are written. Said once for the process, no place that writes an
// object can miss it, and values without bigints cost nothing, as they would with a replacer at each call.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): unknown {
    return (JSON as typeof JSON & RawJson).rawJSON(this.toString()); // Node 24 has it
  },
  writable: true,
  configurable: true,
});

/** A number in JSON text is beyond the range of a double. */
export class NumberOutOfRange extends SyntaxError {
  constructor(text: string) {
    super(`the number ${text.length > 32 ? `${text.slice(0, 32)}…` : text} is out of range`);
  }
}

/**
 * Reads JSON text, with integers of 64 bits as `JsonValue` has them. Text that cannot have a number that needs care is read by
 * `JSON.parse` alone. Throws a SyntaxError where the text is no JSON, NumberOutOfRange where it is but has such a number.
 * `hasExponents` is false for text that this server wrote: it writes no exponent that needs care.
 */
export function readJson(text: string, hasExponents: boolean = exponent.test(text)): JsonValue {
  if (!hasExponents && !hasLongNumber(text)) return JSON.parse(text) as JsonValue; // what it gives without a reviver
  return (JSON.parse as ReadWithSource)(text, exactValue);
}

function exactValue(_: string, value: JsonValue, { source }: { readonly source?: string }): JsonValue {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return numberFromText(source);
}

/**
 * The value of a number as JSON writes it: exact for an integer of 64 bits, otherwise that of the nearest double.
 * Throws NumberOutOfRange when that is infinite.
 */
export function numberFromText(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  if (!Number.isFinite(value)) throw new NumberOutOfRange(text);
  return integerText.test(text) ? numberFromInteger(BigInt(text)) : numberFromDouble(value);
}

/** The value of a double: as it is read back from the JSON that it is written to. */
export function numberFromDouble(value: number): number | bigint {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= 2 ** 63;
  return isLarge ? numberFromInteger(BigInt(String(value))) : value;
}

/** The value of an integer: a bigint only if it has 64 bits and a double does not hold it. Infinite beyond all doubles. */
export function numberFromInteger(integer: bigint): number | bigint {
  const value = Number(integer);
  return Number.isSafeInteger(value) || BigInt.asIntN(64, integer) !== integer ? value : integer;
}

/** Whether a value is a number, of either kind. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a value is an integer of 64 bits. */
export function isInt64(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Whether text may have a number of so many digits. Looks at each 16th character: a run of 16 digits has one of them. */
function hasLongNumber(text: string): boolean {
  const { length } = text;
  for (let at = longNumber - 1; at < length; at += longNumber) {
    if (!isDigit(text.charCodeAt(at))) continue;
    // A run of 16 has the character 8 before this one, or the one 8 behind it.
    if (!isDigit(text.charCodeAt(at - 8)) && !isDigit(text.charCodeAt(at + 8))) continue;
    let start = at;
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < length && isDigit(text.charCodeAt(end))) end++;
    if (end - start >= longNumber && isNumberStart(text, start)) return true;
    // There is no digit at the end, so another run of 16 has the character 16 behind it.
    at = end;
  }
  return false;
}

/** Whether digits may begin a number: in JSON one stands behind a colon, a comma, a bracket, white space or nothing. */
function isNumberStart(text: string, start: number): boolean {
  const before = text[start - 1] === '-' ? start - 2 : start - 1;
  return before < 0 || ' \n\r\t:,['.includes(text[before]!);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
