import { after, before } from 'node:test';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { startStandaloneHere } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { registerQuantityJourney } from './two-gateways/quantities.ts';
import { registerWholeNumbersJourney } from './two-gateways/whole-numbers.ts';

let server: (ConformanceServer & AsyncDisposable) | undefined;
before(async () => {
  server = await startConformanceServer(startStandaloneHere);
});
after(() => server?.[Symbol.asyncDispose]());

registerWholeNumbersJourney(running);
registerQuantityJourney(running);

function running(): ConformanceServer {
  if (server === undefined) throw new Error('the server did not start');
  return server;
}
