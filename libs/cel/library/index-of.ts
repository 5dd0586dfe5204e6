import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength, unitOffset } from '../values/code-points.ts';
import { ListValue } from '../values/list-value.ts';
import type { Value } from '../values/value.ts';
import type { FunctionLibrary } from './library-function.ts';
import { listIndexOf, listLastIndexOf } from './lists.ts';

/** `indexOf` and `lastIndexOf`, of texts and of lists. */
export const indexOfFunctions: FunctionLibrary = {
  indexOf([target, wanted, from, ...more], frame) {
    if (wanted === undefined || more.length > 0) return undefined;
    if (target instanceof ListValue)
      return from === undefined ? listIndexOf(target, wanted, frame) : undefined;
    if (typeof target !== 'string' || typeof wanted !== 'string') return undefined;
    return textIndexOf({ text: target, wanted, from: from ?? 0n, last: false }, frame);
  },
  lastIndexOf([target, wanted, from, ...more], frame) {
    if (wanted === undefined || more.length > 0) return undefined;
    if (target instanceof ListValue)
      return from === undefined ? listLastIndexOf(target, wanted, frame) : undefined;
    if (typeof target !== 'string' || typeof wanted !== 'string') return undefined;
    return textIndexOf({ text: target, wanted, from, last: true }, frame);
  },
};

interface Search {
  readonly text: string;
  readonly wanted: string;
  /** In code points; undefined for the end of the text. */
  readonly from: Value | undefined;
  readonly last: boolean;
}

function textIndexOf({ text, wanted, from, last }: Search, frame: Frame): Value | undefined {
  const size = codePointLength(text);
  frame.charge(Math.floor(size * figures.traversal));
  const start = from ?? BigInt(size);
  if (typeof start !== 'bigint') return undefined;
  if (start < 0n || start > BigInt(size)) return new CelError(`index out of range: ${start}`);
  const unit = unitOffset(text, Number(start));
  const found = last ? text.lastIndexOf(wanted, unit) : text.indexOf(wanted, unit);
  return found < 0 ? -1n : BigInt(codePointLength(text.slice(0, found)));
}
