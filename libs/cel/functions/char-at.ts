import { figures } from '../cost/figures.ts';
import { exactly } from '../cost/size-range.ts';
import { types } from '../types/type.ts';
import { codePointLength, outOfRange, unitOffset } from '../values/code-points.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

/** `text.charAt(index)`: one code point, the empty string at the end. */
export const charAt: FunctionDefinition = {
  name: 'charAt',
  overloads: [method('string_char_at_int', [types.string, types.int], types.string)],
  evaluate([text, index, ...more], frame) {
    if (typeof text !== 'string' || typeof index !== 'bigint' || more.length > 0) return undefined;
    frame.charge(figures.call);
    frame.traverse(text.length >>> 4);
    const size = codePointLength(text);
    if (index < 0n || index > BigInt(size)) return outOfRange(index);
    const unit = unitOffset(text, Number(index));
    return unit < text.length ? String.fromCodePoint(text.codePointAt(unit) ?? 0) : '';
  },
  estimate: () => ({ cost: exactly(figures.call), size: { min: 0, max: 1 } }),
};
