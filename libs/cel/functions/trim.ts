import { traversalCost } from '../cost/call-costs.ts';
import { types } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { sameTextCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

/** `text.trim()`. */
export const trim: FunctionDefinition = {
  name: 'trim',
  overloads: [method('string_trim', [types.string], types.string)],
  evaluate([text, ...more], frame) {
    if (typeof text !== 'string' || more.length > 0) return undefined;
    frame.charge(traversalCost(codePointLength(text)));
    return trimmed(text);
  },
  estimate: sameTextCost,
};

const space = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Trims without a regular expression, which would take quadratic time for a text with many spaces. */
function trimmed(text: string): string {
  let first = 0;
  let end = text.length;
  while (first < end && space.test(text.charAt(first))) first++;
  while (end > first && space.test(text.charAt(end - 1))) end--;
  return text.slice(first, end);
}
