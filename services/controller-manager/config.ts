import { durationFlag, type FlagValues, listFlag, serviceFlags, stringFlag } from '@binnacle/service-kit';

/** The flags of controller-manager. */
export const controllerManagerFlags = {
  ...serviceFlags,
  kubeconfig: stringFlag({ description: 'Client configuration file of the controllers.', required: true }),
  servers: listFlag({
    description: 'Addresses of gateways, instead of the one in the file; the next is tried when one is down.',
  }),
  leaderElectLeaseDuration: durationFlag({
    description: 'How long a leader that is silent stays the leader.',
    default: 15_000,
    min: 1000,
  }),
  leaderElectRetryPeriod: durationFlag({
    description: 'Time between two renewals, or two attempts to become the leader.',
    default: 2_000,
    min: 100,
  }),
};

/** Their values. */
export type ControllerManagerConfig = FlagValues<typeof controllerManagerFlags>;
