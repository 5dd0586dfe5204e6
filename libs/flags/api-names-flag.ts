import { type Vocabulary, vocabularies, vocabulary } from '@binnacle/api-names';
import { choiceFlag, type Flag } from './flag.ts';

const choice = choiceFlag(vocabularies, {
  description:
    'Names of the API: the own ones of Binnacle (cluster), or those of Kubernetes (kubernetes). The first start writes the choice into the store; all services need the same.',
  default: 'cluster',
});

/**
 * The flag `--api-names`, which every service has. Names are chosen when the modules are loaded, from the arguments and environment
 * of the process: the value of the flag is that choice, and any other is refused.
 */
export const apiNamesFlag: Flag<Vocabulary> = {
  ...choice,
  defaultValue: vocabulary,
  parse(texts) {
    const chosen = choice.parse(texts);
    if (chosen !== vocabulary) throw new Error(`must be ${vocabulary}, which this process was started with`);
    return chosen;
  },
};
