import { regexCost } from '../cost/call-costs.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength } from '../values/code-points.ts';
import type { Value } from '../values/value.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { cachedPattern, compilePattern, type Pattern } from './patterns.ts';

/** Arguments of a pattern function; patterns use RE2 syntax and are not anchored. */
export interface Match {
  readonly pattern: Pattern;
  readonly input: string;
  readonly limit: Value | undefined;
}

type Matching = (match: Match) => Value | undefined;

/** Creates the evaluation of a function of a text, a pattern and an optional limit. */
export function evaluatePattern(
  matching: Matching,
): Required<Pick<FunctionDefinition, 'evaluate' | 'withLiteralPattern'>> {
  return {
    evaluate([input, text, limit], frame) {
      if (typeof input !== 'string' || typeof text !== 'string') return undefined;
      // The cache lookup traverses the pattern, even for a short input.
      frame.traverse(text.length);
      const pattern = cachedPattern(text);
      return pattern instanceof CelError ? pattern : charged(matching, { pattern, input, limit }, frame);
    },
    withLiteralPattern(text) {
      const pattern = compilePattern(text);
      if (pattern instanceof CelError) return pattern;
      return ([input, , limit], frame) =>
        typeof input === 'string' ? charged(matching, { pattern, input, limit }, frame) : undefined;
    },
  };
}

function charged(matching: Matching, match: Match, frame: Frame): Value | undefined {
  frame.charge(regexCost(match.pattern, codePointLength(match.input)));
  return matching(match);
}
