import { startStandalone } from '@binnacle/standalone/testing';
import { registerCustomKubectlJourney } from './custom-kubectl-journey.ts';

registerCustomKubectlJourney('standalone', dataDir => startStandalone({ dataDir, port: 0 }));
