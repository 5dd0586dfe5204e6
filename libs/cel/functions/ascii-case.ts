import { traversalCost } from '../cost/call-costs.ts';
import { types } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { sameTextCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

/** `text.lowerAscii()`; non-ASCII letters are unchanged. */
export const lowerAscii: FunctionDefinition = asciiCase('lowerAscii', 'string_lower_ascii', text =>
  text.replace(/[A-Z]+/g, part => part.toLowerCase()),
);

/** `text.upperAscii()`; non-ASCII letters are unchanged. */
export const upperAscii: FunctionDefinition = asciiCase('upperAscii', 'string_upper_ascii', text =>
  text.replace(/[a-z]+/g, part => part.toUpperCase()),
);

function asciiCase(name: string, id: string, map: (text: string) => string): FunctionDefinition {
  return {
    name,
    overloads: [method(id, [types.string], types.string)],
    evaluate([text, ...more], frame) {
      if (typeof text !== 'string' || more.length > 0) return undefined;
      frame.charge(traversalCost(codePointLength(text)));
      return map(text);
    },
    estimate: sameTextCost,
  };
}
