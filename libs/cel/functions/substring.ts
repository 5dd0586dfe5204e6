import { traversalCost } from '../cost/call-costs.ts';
import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength, outOfRange, unitOffset } from '../values/code-points.ts';
import { sameTextCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

const { string, int } = types;

/** `text.substring(start, end)`; default of `end`: the end of the text. */
export const substring: FunctionDefinition = {
  name: 'substring',
  overloads: [
    method('string_substring_int', [string, int], string),
    method('string_substring_int_int', [string, int, int], string),
  ],
  evaluate([text, start, end, ...more], frame) {
    if (typeof text !== 'string' || typeof start !== 'bigint' || more.length > 0) return undefined;
    if (end !== undefined && typeof end !== 'bigint') return undefined;
    const size = codePointLength(text);
    frame.charge(traversalCost(size));
    const last = end ?? BigInt(size);
    if (start < 0n || start > BigInt(size)) return outOfRange(start);
    if (last < 0n || last > BigInt(size)) return outOfRange(last);
    if (start > last) return new CelError(`invalid substring range: ${start} to ${last}`);
    return text.slice(unitOffset(text, Number(start)), unitOffset(text, Number(last)));
  },
  estimate: sameTextCost,
};
