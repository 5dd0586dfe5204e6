import type { RE2JS } from 're2js';

/** Operation codes of instructions. */
export const operations = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  assertion: 4,
  match: 6,
  none: 7,
  /** The range of operations that consume a character. */
  firstCharacter: 8,
  lastCharacter: 11,
} as const;

/** Assertions about a position, as bits. */
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
  /** The next instruction. */
  readonly out: number;
  /** For an alternative the other next instruction, for an assertion its required bits. */
  readonly arg: number;
  matchRune(character: number): boolean;
}

/** A compiled pattern as a list of instructions. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** Returns the instructions of a compiled pattern. */
export function programFrom(expression: RE2JS): PatternProgram {
  const { inst, start } = expression.re2().prog as { inst: Instruction[]; start: number }; // The package does not type it.
  return { instructions: inst, start };
}

/** Whether an instruction consumes a character. */
export function matchesCharacter({ op }: Instruction): boolean {
  return op >= operations.firstCharacter && op <= operations.lastCharacter;
}

/** Whether a character is an ASCII word character for `\b`: a letter, a digit or `_`; false for the end of the text. */
export function isWordCharacter(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x30 && character <= 0x39) ||
    character === 0x5f
  );
}
