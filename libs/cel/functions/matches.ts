import { types } from '../types/type.ts';
import { patternRange } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global, method } from './overloads.ts';
import { evaluatePattern } from './pattern-function.ts';

const { string, bool } = types;

/** `matches(text, pattern)` and `text.matches(pattern)`. */
export const matches: FunctionDefinition = {
  name: 'matches',
  overloads: [global('matches', [string, string], bool), method('matches_string', [string, string], bool)],
  ...evaluatePattern(({ pattern, input, limit }) =>
    limit === undefined ? pattern.regex.test(input) : undefined,
  ),
  estimate: operands => ({ cost: patternRange(operands) }),
};
