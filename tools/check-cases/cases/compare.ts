import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '@binnacle/status-errors';

const longestShown = 240;

/** A sentence about two values that should be equal; undefined when they are. */
export function differs(actual: unknown, expected: unknown, what = 'the result'): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `${what} is ${shown(actual)}, not ${shown(expected)}`;
}

/** A sentence about two lists that should be equal in any order; undefined when they are. */
export function differsAsSet(
  actual: readonly string[],
  expected: readonly string[],
  what: string,
): string | undefined {
  return differs([...actual].sort(), [...expected].sort(), what);
}

/** A sentence when an action that should fail does not, or fails without the expected phrase. */
export function mustFail(action: () => unknown, phrase = ''): string | undefined {
  let result: unknown;
  try {
    result = action();
  } catch (error) {
    const text = errorMessage(error);
    return text.includes(phrase) ? undefined : `the error is ${shown(text)}, without ${shown(phrase)}`;
  }
  return `it is accepted as ${shown(result)}`;
}

/** The first sentence of several checks. */
export function firstProblem(...problems: readonly (string | undefined)[]): string | undefined {
  return problems.find(problem => problem !== undefined);
}

/** A value as text, shortened. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
