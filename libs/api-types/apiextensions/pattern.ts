import { RE2JS } from 're2js';
import { programFrom } from '../text-patterns/pattern-program.ts';
import { type MatchSteps, TextMatcher } from '../text-patterns/text-matcher.ts';

/** Longer patterns are refused before they are compiled, as in expressions. */
const maxPatternLength = 10_000;
/** Patterns of more instructions are refused, as in expressions. */
const maxProgramSize = 10_000;
/** Steps of matching that the check of one value, with all that is in it, may take: some hundredths of a second. */
export const mostMatchSteps = 4_000_000;
/** So many instructions of compiled patterns are kept; the oldest patterns are dropped first. */
const keptInstructions = 500_000;

/** So much of what texts have led to is kept for one pattern, and for all of them together. */
const mostKept = { pattern: 65_536, all: 4_000_000 } as const;

interface CompiledPattern {
  readonly matcher: TextMatcher;
  readonly size: number;
}

/** The result of matching a value with a pattern; `too-long`: the steps do not suffice for the value. */
type PatternVerdict = 'matches' | 'differs' | 'too-long';

/** Texts that are no pattern, by what is wrong with them. */
type PatternFault = 'malformed' | 'too-large';

const kept = new Map<string, CompiledPattern | PatternFault>();
let instructions = 0;
let keptOfTexts = 0;

/**
 * The fault of a pattern: `malformed` when it is not in the syntax of RE2, `too-large` when its text has more than
 * 10,000 characters or its program more than 10,000 instructions.
 */
export function patternFault(pattern: string): PatternFault | undefined {
  const compiled = cached(pattern);
  return typeof compiled === 'string' ? compiled : undefined;
}

/** Matches a value, in time linear in its length; what is no pattern, or too large, matches nothing. Takes from the steps. */
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
  // Written out, so many repetitions would be too many instructions; they are not even compiled.
  if (repetitions(pattern) > maxProgramSize) return 'too-large';
  try {
    const expression = RE2JS.compile(pattern);
    const size = expression.programSize();
    if (size > maxProgramSize) return 'too-large';
    return { matcher: new TextMatcher(programFrom(expression), mostKept.pattern), size };
  } catch {
    return 'malformed'; // It throws for nothing but the pattern.
  }
}

/** The sum of the counts in braces, each the larger of two. */
function repetitions(pattern: string): number {
  let sum = 0;
  for (const [, least = '', most = ''] of pattern.matchAll(/(?<!\\)\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    sum += Math.max(Number(least), Number(most));
  return sum;
}

/** A pattern weighs something even when it is none: its text is kept. */
function measurePattern(compiled: CompiledPattern | PatternFault): number {
  return typeof compiled === 'string' ? 100 : compiled.size + 100;
}
