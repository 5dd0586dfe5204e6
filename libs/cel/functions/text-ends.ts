import { traversalCost } from '../cost/call-costs.ts';
import { types } from '../types/type.ts';
import { codePointLength } from '../values/code-points.ts';
import { traversalRange } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';

/** `text.startsWith(part)`. */
export const startsWith: FunctionDefinition = textEnd('startsWith', 'starts_with_string', (text, part) =>
  text.startsWith(part),
);

/** `text.endsWith(part)`. */
export const endsWith: FunctionDefinition = textEnd('endsWith', 'ends_with_string', (text, part) =>
  text.endsWith(part),
);

function textEnd(
  name: string,
  id: string,
  holds: (text: string, part: string) => boolean,
): FunctionDefinition {
  return {
    name,
    overloads: [method(id, [types.string, types.string], types.bool)],
    evaluate(args, frame) {
      const text = args[0];
      const part = args[1];
      if (typeof text !== 'string' || typeof part !== 'string' || args.length > 2) return undefined;
      frame.charge(traversalCost(codePointLength(text)));
      return holds(text, part);
    },
    estimate: ({ second }) => ({ cost: traversalRange(second.size) }),
  };
}
