import { traversalCost } from '../cost/call-costs.ts';
import { multiplyRanges } from '../cost/size-range.ts';
import { types } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { traversalRange } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

/** `text.contains(part)`. */
export const contains: FunctionDefinition = {
  name: 'contains',
  overloads: [method('contains_string', [types.string, types.string], types.bool)],
  evaluate(args, frame) {
    const text = args[0];
    const part = args[1];
    if (typeof text !== 'string' || typeof part !== 'string' || args.length > 2) return undefined;
    frame.charge(traversalCost(codePointLength(text)) * traversalCost(codePointLength(part)));
    return text.includes(part);
  },
  estimate: ({ first, second }) => ({
    cost: multiplyRanges(traversalRange(first.size), traversalRange(second.size)),
  }),
};
