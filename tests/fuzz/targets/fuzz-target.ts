import { StatusError } from '@binnacle/status-errors';

/** One parser under test: what it takes, what its inputs look like, and how it may refuse them. */
export interface FuzzTarget {
  /** The name of its folder of inputs, and on the command line. */
  readonly name: string;
  /** Inputs that it accepts: the beginnings of others. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words and marks of its language. */
  readonly words: readonly string[];
  /** How many inputs it is given for each one that a slow target is given; default 1. */
  readonly pace?: number;
  /** Gives the parser an input. What it throws must be a refusal. */
  run(input: Buffer): void | Promise<void>;
  /** Asks whether an error is how the parser refuses an input; default: a StatusError for a mistake of the client. */
  isRefusal?(error: unknown): boolean;
}

/** A StatusError whose code says that the client sent what it should not. */
export function isClientMistake(error: unknown): boolean {
  return error instanceof StatusError && error.code >= 400 && error.code < 500;
}

/** An error that its parser threw on purpose: none of the kinds that the engine throws. */
export function isNamedError(error: unknown): boolean {
  const ofEngine = [TypeError, RangeError, ReferenceError, EvalError];
  return error instanceof Error && !ofEngine.some(kind => error instanceof kind);
}
