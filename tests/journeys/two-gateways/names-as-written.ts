import { registerNamesAsWritten } from '../register-names-as-written.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Objects that are written through either name of their group, and read through the other gateway. */
export function registerNamesAsWrittenJourney(gateways: () => TwoGateways): void {
  registerNamesAsWritten('two gateways', () => {
    const { server } = gateways();
    return {
      expect: async (code, method, path, sent) => (await server.expect(code, method, path, sent)).body,
      namespace: () => server.namespace(),
    };
  });
}
