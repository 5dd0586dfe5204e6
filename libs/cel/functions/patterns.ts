import { programFrom, TextMatcher } from '@binnacle/api-types';
import { BoundedMap } from '@binnacle/event-loop';
import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '../values/cel-error.ts';
import { codePointLength } from '../values/code-points.ts';

/** A compiled regular expression; its length in code points and its program size determine the cost. */
export interface Pattern {
  readonly regex: RE2JS;
  /** Tests for a match anywhere, faster than `regex`. */
  readonly matcher: TextMatcher;
  readonly length: number;
  readonly programSize: number;
}

/** Maximum number of instructions of a program: the time of a match is proportional to input size times program size. */
const maxProgramSize = 10_000;

/** Maximum length of a pattern; longer ones are refused before compilation. */
const maxPatternLength = 10_000;

/** Maximum number of cached patterns that are only known at run time. */
const keptPatterns = 256;

const patterns = new BoundedMap<string, Pattern | CelError>(keptPatterns);

/** Compiles a regular expression in RE2 syntax; returns an error for an invalid one. */
export function compilePattern(text: string): Pattern | CelError {
  if (text.length > maxPatternLength) return new CelError('the regular expression is too long');
  try {
    const regex = RE2JS.compile(text);
    const programSize = regex.programSize();
    if (programSize > maxProgramSize) return new CelError('the regular expression is too large');
    const matcher = new TextMatcher(programFrom(regex));
    return { regex, matcher, length: codePointLength(text), programSize };
  } catch (error) {
    if (error instanceof RE2JSException) return new CelError(error.message);
    throw error;
  }
}

/** Compiles a pattern that is only known at run time, with a cache of the latest ones. */
export function cachedPattern(text: string): Pattern | CelError {
  const known = patterns.get(text);
  if (known !== undefined) return known;
  const made = compilePattern(text);
  // Texts that are too long are refused quickly and not cached.
  if (text.length > maxPatternLength) return made;
  patterns.set(text, made);
  return made;
}
