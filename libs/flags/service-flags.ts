import { apiNamesFlag } from './api-names-flag.ts';
import { featureGatesFlag } from './feature-gates-flag.ts';
import { booleanFlag, choiceFlag, portFlag, stringFlag } from './flag.ts';

/** The flags that every service has: names of the API, logs, features, operations server, and security of calls between services. */
export const serviceFlags = {
  apiNames: apiNamesFlag,
  logLevel: choiceFlag(['debug', 'info', 'warn', 'error'], {
    description: 'Lowest level of log lines that are written.',
    default: 'info',
  }),
  logFormat: choiceFlag(['json', 'text'], {
    description: 'Format of the log: json (one object a line), or text for people.',
    default: 'json',
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
  insecure: booleanFlag({ description: 'Plaintext, unauthenticated calls between services.' }),
};
