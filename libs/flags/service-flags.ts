import { type Vocabulary, vocabularies, vocabulary } from '@binnacle/api-names';
import { featureGatesFlag } from './feature-gates-flag.ts';
import { booleanFlag, choiceFlag, type Flag, flagGroup, portFlag, stringFlag } from './flag.ts';
import { tlsReloadIntervalFlag } from './shared-flags.ts';

const apiNamesChoice = choiceFlag(vocabularies, {
  description:
    'Names of the API: the own ones of Binnacle (cluster), or those of Kubernetes (kubernetes). The first start writes the choice into the store; all services need the same.',
  default: 'cluster',
});

/**
 * The flag `--api-names`. The modules choose the names when they are loaded, from the arguments and the environment of
 * the process: the value of the flag is that choice, and any other value is refused.
 */
const apiNamesFlag: Flag<Vocabulary> = {
  ...apiNamesChoice,
  defaultValue: vocabulary,
  parse(texts) {
    const chosen = apiNamesChoice.parse(texts);
    if (chosen !== vocabulary) throw new Error(`must be ${vocabulary}, which this process was started with`);
    return chosen;
  },
};

/** The flags of every service: API names, log, features, operations server, and security of calls between services. */
export const serviceFlags = flagGroup('Process', {
  apiNames: apiNamesFlag,
  logLevel: choiceFlag(['debug', 'info', 'warn', 'error'], {
    description: 'Lowest level of log lines that are written.',
    default: 'info',
  }),
  logFormat: choiceFlag(['auto', 'json', 'text'], {
    description:
      'Format of the log: json (one object a line), text for people, or auto, which is text on a terminal and json elsewhere.',
    default: 'auto',
  }),
  featureGates: featureGatesFlag(),
  operationsHost: stringFlag({
    description: 'Address that metrics and health are served on.',
    default: '127.0.0.1',
  }),
  operationsPort: portFlag({ description: 'Port that metrics and health are served on.', default: 9090 }),
  tlsDir: stringFlag({
    description: 'Directory with ca.crt, tls.crt and tls.key for calls between services.',
  }),
  tlsReloadInterval: tlsReloadIntervalFlag,
  insecure: booleanFlag({ description: 'Plaintext, unauthenticated calls between services.' }),
});

/** The flag of traces, of every service that requests pass through. */
export const tracingFlags = flagGroup('Traces', {
  tracingConfigFile: stringFlag({
    description:
      'File with a TracingConfiguration: the collector that spans are sent to, and how many requests are sampled; without it nothing is traced.',
  }),
});
