import { findFreePort } from '@binnacle/backends';
import { startDistributed } from '@binnacle/compose';
import { registerCustomKubectlJourney } from './custom-kubectl-journey.ts';

registerCustomKubectlJourney('the distributed form', async dataDirectory =>
  startDistributed({ dataDirectory, port: await findFreePort() }),
);
