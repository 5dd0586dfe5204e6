import { traversalCost } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import { scaleRange } from '../cost/size-range.ts';
import { types } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { ListValue } from '../values/value.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

const { string, int } = types;
const strings = types.list(string);

/** `text.split(separator, limit)`; with a limit, the last part is the rest of the text. */
export const split: FunctionDefinition = {
  name: 'split',
  overloads: [
    method('string_split_string', [string, string], strings),
    method('string_split_string_int', [string, string, int], strings),
  ],
  evaluate([text, separator, limit = -1n, ...more], frame) {
    if (typeof text !== 'string' || typeof separator !== 'string' || more.length > 0) return undefined;
    if (typeof limit !== 'bigint') return undefined;
    frame.charge(traversalCost(2 * codePointLength(text)));
    if (limit === 0n) return ListValue.of([]);
    if (limit === 1n) return ListValue.of([text]);
    const parts = separator === '' ? Array.from(text) : text.split(separator);
    if (limit < 0n || BigInt(parts.length) <= limit) return ListValue.of(parts);
    const kept = Number(limit) - 1;
    return ListValue.of([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
  },
  estimate({ first, third }) {
    const limit = third.expression?.kind === 'constant' ? third.expression.value : undefined;
    const most = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : first.size.max;
    return { cost: scaleRange(first.size, 2 * figures.traversal), size: { min: 0, max: most } };
  },
};
