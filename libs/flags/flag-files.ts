import { errorMessage } from '@binnacle/status-errors';
import { FlagError, flagName } from './parse-flags.ts';

/** Reads a file that a flag names. Rejects with a FlagError that names the flag, the file and the problem. */
export async function readFlagFile<T>(
  name: string,
  file: string,
  read: (file: string) => T | Promise<T>,
): Promise<T> {
  try {
    return await read(file);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new FlagError(`--${flagName(name)}${reason.includes(file) ? '' : ` ${file}`}: ${reason}`, {
      cause,
    });
  }
}
