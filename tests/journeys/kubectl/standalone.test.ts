import { startStandalone } from '@binnacle/standalone';
import { registerKubectlJourney } from './kubectl-journey.ts';

registerKubectlJourney('the standalone form', dataDirectory => startStandalone({ dataDirectory, port: 0 }));
