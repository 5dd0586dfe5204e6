import { FlagError, type FlagSpec, type FlagValues, parseFlags, TextRequested } from './parse-flags.ts';

/**
 * Reads the flags of a program that is no service. Where `--help` is given, or a flag is wrong, it says so and ends the process,
 * with exit code 0 or 2.
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
