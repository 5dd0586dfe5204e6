import { types } from '../types/type.ts';
import { patternRange } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { global, method } from './overloads.ts';
import { evaluatePattern } from './pattern-function.ts';
import type { Pattern } from './patterns.ts';

const { string, bool } = types;

/** `matches(text, pattern)` and `text.matches(pattern)`. */
export const matches: FunctionDefinition = {
  name: 'matches',
  overloads: [global('matches', [string, string], bool), method('matches_string', [string, string], bool)],
  ...evaluatePattern(({ pattern, input, limit }) =>
    limit === undefined ? occurs(pattern, input) : undefined,
  ),
  estimate: operands => ({ cost: patternRange(operands) }),
};

/** Maximum number of matcher steps, enough for most patterns; beyond it RE2 tests the pattern. */
const mostSteps = 4_000_000;

function occurs({ regex, matcher }: Pattern, input: string): boolean {
  return matcher.occursIn(input, { left: mostSteps }) ?? regex.test(input);
}
