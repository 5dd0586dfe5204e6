import { readFileSync } from 'node:fs';

/** Whose names an API has: those of `cluster.io`, or those of Kubernetes. */
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
 * `cluster`. It is read when this module is loaded, before anything is made of names. A word that is no vocabulary counts as
 * none here, and is refused where flags are read, as is one that is read otherwise there.
 */
export const vocabulary: Vocabulary = chosenVocabulary(process.argv.slice(2), process.env);

// Threads and processes that this one starts see its environment, and neither its arguments nor its file.
if (vocabulary !== 'cluster' || flagValue(process.argv, flag) === vocabulary)
  process.env[apiNamesVariable] = vocabulary;

/** The vocabulary that arguments, environment and the file that they name choose. */
export function chosenVocabulary(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Vocabulary {
  const file = flagValue(args, fileFlag) ?? environment[fileVariable];
  const word = flagValue(args, flag) ?? environment[apiNamesVariable] ?? wordInFile(file);
  return vocabularies.find(name => name === word) ?? 'cluster';
}

/** The line of the name in a file of flags; a file that cannot be read is refused where flags are read. */
function wordInFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return /^(["']?)api-names\1[ \t]*:[ \t]*["']?(\w+)/m.exec(readFileSync(file, 'utf8'))?.[2];
  } catch {
    return undefined;
  }
}

/** The value of the last use of a flag in arguments, where there is one. */
function flagValue(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex(arg => arg === name || arg.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const arg = args[at]!; // it was found
  return arg === name ? args[at + 1] : arg.slice(name.length + 1);
}
