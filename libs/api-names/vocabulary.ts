import { readFileSync } from 'node:fs';

/** A vocabulary of API names: those of `cluster.io`, or those of Kubernetes. */
export type Vocabulary = 'cluster' | 'kubernetes';

/** The vocabularies; the first one is the default. */
export const vocabularies: readonly Vocabulary[] = ['cluster', 'kubernetes'];

/** The environment variable of `--api-names`. */
export const apiNamesVariable = 'BINNACLE_API_NAMES';

const flag = '--api-names';
const fileFlag = '--config';
const fileVariable = 'BINNACLE_CONFIG';

/**
 * The vocabulary of this process: `--api-names`, else `BINNACLE_API_NAMES`, else `api-names` in the file of `--config`, else
 * `cluster`. It is determined when this module is loaded, before any name is used. An invalid value is ignored here; the flag
 * parser refuses it, and also a value that it reads differently.
 */
export const vocabulary: Vocabulary = chosenVocabulary(process.argv.slice(2), process.env);

// Worker threads and child processes inherit the environment, but not the arguments or the configuration file.
if (vocabulary !== 'cluster' || flagValue(process.argv, flag) === vocabulary)
  process.env[apiNamesVariable] = vocabulary;

/** Determines the vocabulary from arguments, environment and the configuration file. */
export function chosenVocabulary(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Vocabulary {
  const file = flagValue(args, fileFlag) ?? environment[fileVariable];
  const word = flagValue(args, flag) ?? environment[apiNamesVariable] ?? wordInFile(file);
  return vocabularies.find(name => name === word) ?? 'cluster';
}

/** Reads `api-names` from a configuration file; the flag parser reports a file that cannot be read. */
function wordInFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return /^(["']?)api-names\1[ \t]*:[ \t]*["']?(\w+)/m.exec(readFileSync(file, 'utf8'))?.[2];
  } catch {
    return undefined;
  }
}

/** Returns the value of the last occurrence of a flag in arguments. */
function flagValue(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex(arg => arg === name || arg.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const arg = args[at]!; // The index was found.
  return arg === name ? args[at + 1] : arg.slice(name.length + 1);
}
