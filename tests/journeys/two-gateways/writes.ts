import { registerWriteRaces } from '../register-write-races.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Clients of both gateways that write the same objects. */
export function registerWriteJourney(gateways: () => TwoGateways): void {
  registerWriteRaces('two gateways', () => {
    const { server } = gateways();
    return {
      send: (method, path, sent) => server.request(method, path, sent),
      namespace: () => server.namespace(),
    };
  });
}
