import type { Readable } from 'node:stream';

/** The process environment of a command: streams, variables, signals. */
export interface Terminal {
  /** The version of this program. */
  readonly version: string;
  /** Resolves when the output has room for more. */
  readonly out: (text: string) => Promise<void>;
  /** Notices, warnings and errors. */
  readonly err: (text: string) => void;
  readonly input: Readable;
  /** Whether a person can answer at the input. */
  readonly inputIsInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user ends the command. */
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
  /** The time of day in milliseconds since 1970. */
  readonly time: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Runs another program at this terminal, and resolves with its exit code; rejects when it cannot be started. */
  readonly runProgram: (program: string, args: readonly string[]) => Promise<number>;
}
