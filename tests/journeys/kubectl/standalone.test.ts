import { startStandalone } from '@binnacle/standalone/testing';
import { registerKubectlJourney } from './kubectl-journey.ts';

registerKubectlJourney('the standalone form', dataDirectory =>
  startStandalone({ dataDir: dataDirectory, port: 0 }),
);
