import type { RE2JS } from 're2js';

/** The operations of instructions. */
export const operations = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  assertion: 4,
  match: 6,
  none: 7,
  /** The lowest and the highest of those that take a character. */
  firstCharacter: 8,
  lastCharacter: 11,
} as const;

/** The facts about a position that an assertion demands, each a bit. */
export const assertions = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

/** One instruction of a compiled pattern. */
interface Instruction {
  readonly op: number;
  /** The instruction that follows. */
  readonly out: number;
  /** Of an alternative the other instruction that follows, of an assertion the facts that it demands. */
  readonly arg: number;
  matchRune(character: number): boolean;
}

/** A compiled pattern as a list of instructions. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** The instructions of a compiled pattern. */
export function programFrom(expression: RE2JS): PatternProgram {
  const { inst, start } = expression.re2().prog as { inst: Instruction[]; start: number }; // The package does not type it.
  return { instructions: inst, start };
}

/** Whether an instruction takes a character. */
export function matchesCharacter({ op }: Instruction): boolean {
  return op >= operations.firstCharacter && op <= operations.lastCharacter;
}

/** Whether a character is one of a word for `\b`: a letter, a digit or `_`, of ASCII; no character is none. */
export function isWordCharacter(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x30 && character <= 0x39) ||
    character === 0x5f
  );
}
