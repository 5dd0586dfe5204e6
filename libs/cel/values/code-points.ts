import { CelError } from './cel-error.ts';

/** A text that an expression makes is at most of this many units. */
export const maxTextLength: number = 2 ** 24;

/** Bytes that a code point may take. */
export const bytesOfCodePoint = 4;

/** The length of a text in code points: a pair of surrogates counts once. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    length--;
    index++;
  }
  return length;
}

/** Where the code point of that number begins, in units; the length of the text for the one after the last. */
export function unitOffset(text: string, codePoints: number): number {
  let unit = 0;
  for (let passed = 0; passed < codePoints && unit < text.length; passed++)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

/** The error of a position that a text does not have. */
export function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** Orders texts by their code points, as UTF-8 bytes would be. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return surrogatesLast(a) - surrogatesLast(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points beyond all others, though their units are below 0xe000. */
function surrogatesLast(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
