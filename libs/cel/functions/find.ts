import { types } from '../types/type.ts';
import { foundTextCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';
import { evaluatePattern, type Match } from './pattern-function.ts';

const { string } = types;

/** `text.find(pattern)`: the first match, the empty string if there is none. */
export const find: FunctionDefinition = {
  name: 'find',
  overloads: [method('string_find_string', [string, string], string)],
  ...evaluatePattern(firstMatch),
  estimate: foundTextCost,
};

function firstMatch({ pattern, input, limit }: Match): string | undefined {
  if (limit !== undefined) return undefined;
  const matcher = pattern.regex.matcher(input);
  return matcher.find() ? (matcher.group() ?? '') : '';
}
