import { regexCost } from '../cost/call-costs.ts';
import type { Frame } from '../frame/frame.ts';
import { CelError } from '../values/cel-error.ts';
import { codePointLength } from '../values/code-points.ts';
import { ListValue } from '../values/list-value.ts';
import type { Value } from '../values/value.ts';
import type { FunctionLibrary, LibraryFunction } from './library-function.ts';
import { cachedPattern, compilePattern, type Pattern } from './patterns.ts';

/** `matches`, `find` and `findAll`; patterns are RE2's, and may match anywhere. */
export const regexes: FunctionLibrary = {
  matches: withPattern(matches),
  find: withPattern(find),
  findAll: withPattern(findAll),
};

/**
 * The same functions for a pattern that is known when the program is made, or the error of one that cannot be compiled.
 * Undefined for other functions.
 */
export function withLiteralPattern(name: string, text: string): LibraryFunction | CelError | undefined {
  const match = { matches, find, findAll }[name];
  if (match === undefined) return undefined;
  const pattern = compilePattern(text);
  if (pattern instanceof CelError) return pattern;
  return ([input, , limit], frame) =>
    typeof input === 'string' ? charged(match, { pattern, input, limit }, frame) : undefined;
}

interface Match {
  readonly pattern: Pattern;
  readonly input: string;
  readonly limit: Value | undefined;
}

type Matching = (match: Match) => Value | undefined;

function withPattern(matching: Matching): LibraryFunction {
  return ([input, text, limit], frame) => {
    if (typeof input !== 'string' || typeof text !== 'string') return undefined;
    // The first look at a pattern goes through it, however short the input is.
    frame.traverse(text.length);
    const pattern = cachedPattern(text);
    return pattern instanceof CelError ? pattern : charged(matching, { pattern, input, limit }, frame);
  };
}

function charged(matching: Matching, match: Match, frame: Frame): Value | undefined {
  frame.charge(regexCost(match.pattern, codePointLength(match.input)));
  return matching(match);
}

function matches({ pattern, input, limit }: Match): Value | undefined {
  return limit === undefined ? pattern.regex.test(input) : undefined;
}

function find({ pattern, input, limit }: Match): Value | undefined {
  if (limit !== undefined) return undefined;
  const matcher = pattern.regex.matcher(input);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll({ pattern, input, limit = -1n }: Match): Value | undefined {
  if (typeof limit !== 'bigint') return undefined;
  const found: string[] = [];
  const matcher = pattern.regex.matcher(input);
  let end = -1;
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    // An empty match right after another match is none.
    if (matcher.end() !== end || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return ListValue.of(found);
}
