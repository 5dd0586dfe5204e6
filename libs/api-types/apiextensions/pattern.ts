import { RE2JS } from 're2js';
import { programFrom } from '../text-patterns/pattern-program.ts';
import { type MatchSteps, TextMatcher } from '../text-patterns/text-matcher.ts';

/** Maximum length of a pattern in characters, as in expressions; longer ones are refused before compilation. */
const maxPatternLength = 10_000;
/** Maximum number of instructions of a compiled pattern, as in expressions. */
const maxProgramSize = 10_000;
/** Maximum number of matching steps for the validation of one value including nested values: several 10 ms. */
export const mostMatchSteps = 4_000_000;
/** Maximum number of instructions of cached compiled patterns; the oldest patterns are dropped first. */
const keptInstructions = 500_000;

/** Maximum number of cached matcher states, for one pattern and for all patterns. */
const mostKept = { pattern: 65_536, all: 4_000_000 } as const;

interface CompiledPattern {
  readonly matcher: TextMatcher;
  readonly size: number;
}

/** The result of matching a value; `too-long`: the matching steps are exhausted. */
type PatternVerdict = 'matches' | 'differs' | 'too-long';

/** Faults of texts that are not usable patterns. */
type PatternFault = 'malformed' | 'too-large';

const kept = new Map<string, CompiledPattern | PatternFault>();
let instructions = 0;
let keptOfTexts = 0;

/**
 * Returns the fault of a pattern: `malformed` if it is not in RE2 syntax, `too-large` if it has more than 10,000 characters or
 * its program more than 10,000 instructions.
 */
export function patternFault(pattern: string): PatternFault | undefined {
  const compiled = cached(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

/** Matches a value in linear time and reduces the remaining steps; an invalid or too large pattern matches nothing. */
export function matchPattern(
  pattern: string,
  value: string,
  steps: MatchSteps = { left: mostMatchSteps },
): PatternVerdict {
  const compiled = cached(pattern);
  if (typeof compiled === 'string') return 'differs';
  const { matcher } = compiled;
  const before = matcher.kept;
  const occurs = matcher.occursIn(value, steps);
  keptOfTexts += matcher.kept - before;
  if (keptOfTexts > mostKept.all) {
    keptOfTexts -= matcher.kept;
    matcher.forget();
  }
  if (occurs === undefined) return 'too-long';
  return occurs ? 'matches' : 'differs';
}

function cached(pattern: string): CompiledPattern | PatternFault {
  if (pattern.length > maxPatternLength) return 'too-large';
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  kept.set(pattern, compiled);
  instructions += measurePattern(compiled);
  for (const [oldest, dropped] of kept) {
    if (instructions <= keptInstructions) break;
    kept.delete(oldest);
    instructions -= measurePattern(dropped);
    if (typeof dropped !== 'string') keptOfTexts -= dropped.matcher.kept;
  }
  return compiled;
}

function compile(pattern: string): CompiledPattern | PatternFault {
  // Expanded repetitions would exceed the instruction limit: the pattern is not compiled.
  if (repetitions(pattern) > maxProgramSize) return 'too-large';
  try {
    const expression = RE2JS.compile(pattern);
    const size = expression.programSize();
    if (size > maxProgramSize) return 'too-large';
    return { matcher: new TextMatcher(programFrom(expression), mostKept.pattern), size };
  } catch {
    return 'malformed'; // RE2JS throws only for invalid patterns.
  }
}

/** Returns the sum of the repetition counts, the larger one of each pair. */
function repetitions(pattern: string): number {
  let sum = 0;
  for (const [, least = '', most = ''] of pattern.matchAll(/(?<!\\)\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    sum += Math.max(Number(least), Number(most));
  return sum;
}

/** Returns the cache weight of a pattern; a faulty one also has a weight, since its text is cached. */
function measurePattern(compiled: CompiledPattern | PatternFault): number {
  return typeof compiled === 'string' ? 100 : compiled.size + 100;
}
