import { after } from 'node:test';
import { startStandaloneHere } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { readStore, unpackConverted } from '../stored-objects/fixture.ts';
import { registerStoredObjectsTests } from '../stored-objects/register-stored-objects-tests.ts';

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

registerStoredObjectsTests('objects of a data folder of the release before', async () => {
  let records: Awaited<ReturnType<typeof readStore>> = [];
  const server = await startConformanceServer(async options => {
    await unpackConverted(options.dataDirectory);
    records = await readStore(options.dataDirectory);
    return await startStandaloneHere(options);
  });
  resources.use(server);
  return { server, records };
});
