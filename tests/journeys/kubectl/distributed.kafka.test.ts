import { findFreePort } from '@binnacle/backends';
import { startDistributed } from '@binnacle/compose';
import { registerKubectlJourney } from './kubectl-journey.ts';

registerKubectlJourney('the distributed form', async dataDirectory =>
  startDistributed({ dataDirectory, port: await findFreePort() }),
);
