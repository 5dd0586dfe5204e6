import { featureGatesFlag } from '../feature-gates/feature-gates-flag.ts';
import { booleanFlag, choiceFlag, portFlag, stringFlag } from './flag.ts';

/** The flags that every service has: logs, features, operations server, and security of calls between services. */
export const serviceFlags = {
  logLevel: choiceFlag(['debug', 'info', 'warn', 'error'], {
    description: 'Log lines below this level are not written.',
    default: 'info',
  }),
  logFormat: choiceFlag(['json', 'text'], {
    description: 'One JSON object a line, or text for people.',
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
  insecure: booleanFlag({ description: 'Calls between services are plaintext and unauthenticated.' }),
};
