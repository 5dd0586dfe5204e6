import { types } from '../types/type.ts';
import { ListValue } from '../values/value.ts';
import { foundTextCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';
import { evaluatePattern, type Match } from './pattern-function.ts';

const { string, int } = types;
const strings = types.list(string);

/** `text.findAll(pattern, limit)`: the matches; all of them without a limit or with a negative one. */
export const findAll: FunctionDefinition = {
  name: 'findAll',
  overloads: [
    method('string_find_all_string', [string, string], strings),
    method('string_find_all_string_int', [string, string, int], strings),
  ],
  ...evaluatePattern(allMatches),
  estimate: foundTextCost,
};

function allMatches({ pattern, input, limit = -1n }: Match): ListValue | undefined {
  if (typeof limit !== 'bigint') return undefined;
  const found: string[] = [];
  const matcher = pattern.regex.matcher(input);
  let end = -1;
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    // An empty match directly after another match does not count.
    if (matcher.end() !== end || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return ListValue.of(found);
}
