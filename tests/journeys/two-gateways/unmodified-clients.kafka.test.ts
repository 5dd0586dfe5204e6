import { registerClientTests } from '../../clients/register-client-tests.ts';
import { sharedGateways } from './start-two-gateways.ts';

// Its tests come after the journeys, which are the first file of this folder: clients install what stays until the end.
registerClientTests('the distributed form', async () => {
  const { running } = await sharedGateways();
  return { ...running, [Symbol.asyncDispose]: async () => {} };
});
