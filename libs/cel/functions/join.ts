import { sizeOf, traversalCost } from '../cost/call-costs.ts';
import { addRanges, multiplyRanges, type Range } from '../cost/size-range.ts';
import { types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength, maxTextLength } from '../values/code-points.ts';
import { ListValue } from '../values/value.ts';
import { traversalRange } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

const { string } = types;
const strings = types.list(string);

/** `texts.join(separator)`. */
export const join: FunctionDefinition = {
  name: 'join',
  overloads: [method('list_join', [strings], string), method('list_join_string', [strings, string], string)],
  evaluate([list, separator = '', ...more], frame) {
    if (!(list instanceof ListValue) || typeof separator !== 'string' || more.length > 0) return undefined;
    frame.traverse(list.size);
    const parts: string[] = [];
    let length = 0;
    let units = 0;
    const between = codePointLength(separator);
    for (let index = 0; index < list.size; index++) {
      const part = list.get(index);
      if (part instanceof CelError) return part;
      if (typeof part !== 'string') return undefined;
      parts.push(part);
      length += sizeOf(part) + (index > 0 ? between : 0);
      units += part.length + separator.length;
      frame.traverse(part.length >>> 4);
    }
    frame.charge(traversalCost(2 * length));
    return units > maxTextLength ? new CelError('the text is too long') : parts.join(separator);
  },
  estimate({ first, second }) {
    const between: Range = { min: Math.max(0, first.size.min - 1), max: Math.max(0, first.size.max - 1) };
    const separators = multiplyRanges(between, second.size);
    const size = addRanges(multiplyRanges(first.size, first.elementSize), separators);
    return { cost: traversalRange(size), size };
  },
};
