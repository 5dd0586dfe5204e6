import {
  booleanFlag,
  durationFlag,
  flagGroup,
  integerFlag,
  listFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/flags';
import { controllersFlag } from './selection/chosen-controllers.ts';

/** The flags of the controllers, in both forms of the server. */
export const controllerFlags = flagGroup('Controllers', {
  controllers: controllersFlag(),
  enableGarbageCollector: booleanFlag({
    description:
      'Deletion of objects whose owners are gone, and completion of deletions that wait for dependents.',
    default: true,
  }),
  concurrentGcSyncs: integerFlag({
    description: 'Objects that the garbage collector works on at the same time.',
    default: 20,
    min: 1,
    max: 200,
  }),
  serviceAccountPrivateKeyFile: stringFlag({
    description:
      'PEM file of the RSA or ECDSA key that signs the tokens of token secrets; without it they get none.',
  }),
  rootCaFile: stringFlag({
    description:
      'PEM file of the certificate authority of the API, which is written to token secrets and to kube-root-ca.crt of each namespace; default: that of the client configuration.',
  }),
});

/** The flags of the leader election among processes. */
export const leaderElectionFlags = flagGroup('Leader election', {
  leaderElectLeaseDuration: durationFlag({
    description: 'Time after which a leader that does not renew its lease is replaced.',
    default: 15_000,
    min: 1000,
  }),
  leaderElectRetryPeriod: durationFlag({
    description: 'Time between two renewals, or two attempts to become the leader.',
    default: 2_000,
    min: 100,
  }),
});

/** The flags of controller-manager. */
export const controllerManagerFlags = flagGroup('API', {
  ...serviceFlags,
  ...controllerFlags,
  kubeconfig: stringFlag({ description: 'Client configuration file of the controllers.', required: true }),
  servers: listFlag({
    description: 'Addresses of gateways, instead of the one in the file; when one is down, the next is used.',
  }),
  ...leaderElectionFlags,
});
