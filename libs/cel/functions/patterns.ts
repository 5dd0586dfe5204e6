import { programFrom, TextMatcher } from '@binnacle/api-types';
import { BoundedMap } from '@binnacle/event-loop';
import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '../values/cel-error.ts';
import { codePointLength } from '../values/code-points.ts';

/** A compiled regular expression: its length in code points and the size of its program are what its use costs. */
export interface Pattern {
  readonly regex: RE2JS;
  /** Tells faster than `regex` whether the expression matches somewhere. */
  readonly matcher: TextMatcher;
  readonly length: number;
  readonly programSize: number;
}

/** Programs of more instructions are refused: the time of a match grows with input times program. */
const maxProgramSize = 10_000;

/** Longer patterns are refused before they are compiled. */
const maxPatternLength = 10_000;

/** Patterns that are made at run time are kept up to so many. */
const keptPatterns = 256;

const patterns = new BoundedMap<string, Pattern | CelError>(keptPatterns);

/** Compiles a regular expression in RE2's syntax, or tells why it is none. */
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

/** As `compilePattern`, for patterns that are only known at run time; the latest are kept. */
export function cachedPattern(text: string): Pattern | CelError {
  const known = patterns.get(text);
  if (known !== undefined) return known;
  const made = compilePattern(text);
  // Texts that are too long are refused at once, and not kept.
  if (text.length > maxPatternLength) return made;
  patterns.set(text, made);
  return made;
}
