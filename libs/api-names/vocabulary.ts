/** Whose names an API has: those of `cluster.io`, or those of Kubernetes. */
export type Vocabulary = 'cluster' | 'kubernetes';

/** The vocabularies; the first one is the default. */
export const vocabularies: readonly Vocabulary[] = ['cluster', 'kubernetes'];

/** The environment variable of `--api-names`. */
export const apiNamesVariable = 'BINNACLE_API_NAMES';

const flag = '--api-names';

/**
 * The vocabulary of this process: `--api-names`, else `BINNACLE_API_NAMES`, else `cluster`. It is read when this module is loaded,
 * before anything is made of names. A word that is no vocabulary counts as none here, and is refused where flags are read.
 */
export const vocabulary: Vocabulary = chosenVocabulary(process.argv.slice(2), process.env);

// Threads and processes that this one starts see its environment, and not its arguments.
if (vocabulary === flagValue(process.argv)) process.env[apiNamesVariable] = vocabulary;

/** The vocabulary that arguments and environment choose. */
export function chosenVocabulary(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Vocabulary {
  const word = flagValue(args) ?? environment[apiNamesVariable];
  return vocabularies.find(name => name === word) ?? 'cluster';
}

/** The value of the last `--api-names` in arguments, where there is one. */
function flagValue(args: readonly string[]): string | undefined {
  const at = args.findLastIndex(arg => arg === flag || arg.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  const arg = args[at]!; // it was found
  return arg === flag ? args[at + 1] : arg.slice(flag.length + 1);
}
