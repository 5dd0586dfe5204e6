import { CelError } from './cel-error.ts';

/** Maximum length in code units of a text created by an expression. */
export const maxTextLength: number = 2 ** 24;

/** Maximum number of bytes of a code point. */
export const bytesOfCodePoint = 4;

/** Returns the length of a text in code points: a surrogate pair counts once. */
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

/** Returns the code unit offset of a code point; the length of the text for the position after the last one. */
export function unitOffset(text: string, codePoints: number): number {
  let unit = 0;
  for (let passed = 0; passed < codePoints && unit < text.length; passed++)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

/** Creates the error for an index outside of a text. */
export function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** Compares texts by code points, which is the order of their UTF-8 bytes. */
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

/** Orders surrogates, which represent the highest code points, after units from 0xe000. */
function surrogatesLast(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
