import { FlagError, type FlagSpec, type FlagValues, parseFlags, TextRequested } from './parse-flags.ts';

/**
 * Reads the flags of a program that is not a service. For `--help` and for an invalid flag it prints the text or the
 * error, and exits with code 0 or 2.
 */
export function parseProgramFlags<Spec extends FlagSpec>(spec: Spec): FlagValues<Spec> {
  try {
    return parseFlags(spec);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    const isHelp = error instanceof TextRequested;
    (isHelp ? process.stdout : process.stderr).write(`${error.message}\n`);
    process.exit(isHelp ? 0 : 2);
  }
}
