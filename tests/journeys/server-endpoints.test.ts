import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { labels, objects } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { createCallContext } from '@binnacle/rpc';
import { createStorageService } from '@binnacle/storage';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { type AdminServer, at, startAdminServer } from './admin-server.ts';
import { until } from './api-server.ts';
import { objectsAt } from './setup/json-parts.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const service = objects.apiService;
const advertiseAddress = '192.0.2.10';
const servicePath = `/api/v1/namespaces/default/services/${service}`;
const endpointsPath = `/api/v1/namespaces/default/endpoints/${service}`;
const slices = '/apis/discovery.cluster.io/v1/namespaces/default/endpointslices';

async function exists(server: AdminServer, path: string): Promise<boolean> {
  return (await server.send('GET', path)).code === 200;
}

async function addresses(server: AdminServer): Promise<string[]> {
  const { body } = await server.send('GET', endpointsPath);
  const subsets = (body['subsets'] ?? []) as { addresses: { ip: string }[] }[]; // Of Endpoints.
  return subsets.flatMap(subset => subset.addresses.map(({ ip }) => ip));
}

const readVersion = (object: JsonObject) => at(object, 'metadata', 'resourceVersion');

test('the service of the API has the endpoint of the server, and again after a deletion', async () => {
  await using server = await startAdminServer({ advertiseAddress });
  await until('there is a slice', () => exists(server, `${slices}/${service}`));
  const endpoints = await server.expect(200, 'GET', endpointsPath);
  const slice = await server.expect(200, 'GET', `${slices}/${service}`);
  const port = at(await server.expect(200, 'GET', servicePath), 'spec', 'ports', 0, 'targetPort');
  const ports = [{ name: 'https', port: port ?? null, protocol: 'TCP' }];
  assert.deepEqual(endpoints['subsets'], [{ addresses: [{ ip: advertiseAddress }], ports }]);
  assert.deepEqual(at(endpoints, 'metadata', 'labels'), { 'endpointslice.cluster.io/skip-mirror': 'true' });
  assert.deepEqual(
    [slice['addressType'], slice['endpoints'], slice['ports']],
    ['IPv4', [{ addresses: [advertiseAddress], conditions: { ready: true } }], ports],
  );
  assert.equal(at(slice, 'metadata', 'labels', labels.serviceName), service);
  assert.equal(at(slice, 'metadata', 'generation'), 1);

  // Metadata that others add stays.
  const label = { metadata: { labels: { team: 'a' } } };
  const contentType = 'application/merge-patch+json';
  await server.expect(200, 'PATCH', endpointsPath, { body: label, contentType });
  await server.expect(200, 'PATCH', `${slices}/${service}`, {
    body: { ...label, endpoints: [{ addresses: ['192.0.2.99'] }] },
    contentType,
  });
  await until('the slice is as it was', async () => {
    const now = await server.expect(200, 'GET', `${slices}/${service}`);
    return at(now, 'endpoints', 0, 'addresses', 0) === advertiseAddress;
  });
  const kept = await server.expect(200, 'GET', endpointsPath);
  assert.equal(at(kept, 'metadata', 'labels', 'team'), 'a');

  const ofService = { [labels.serviceName]: service };
  for (const metadata of [
    { name: `${service}-own`, labels: ofService },
    { name: `${service}-2` },
    { name: `${service}-1`, labels: ofService },
  ])
    await server.expect(201, 'POST', slices, {
      body: { metadata, addressType: 'IPv4', endpoints: [], ports: [] },
    });
  await server.expect(200, 'DELETE', endpointsPath);
  await server.expect(200, 'DELETE', `${slices}/${service}`);
  await until('both are there again, and nothing is left over', async () => {
    const present = [endpointsPath, `${slices}/${service}`].map(path => exists(server, path));
    return (await Promise.all(present)).every(Boolean) && !(await exists(server, `${slices}/${service}-1`));
  });
  for (const name of [`${service}-own`, `${service}-2`]) await server.expect(200, 'GET', `${slices}/${name}`);
  assert.deepEqual(await addresses(server), [advertiseAddress]);
});

test('an endpoint is removed at once by a stop, and correct endpoints are not written', async () => {
  await using directory = await createTemporaryDirectory();
  const dataDir = directory.path;
  const versions = [];
  {
    await using server = await startAdminServer({ dataDir, advertiseAddress });
    await until('there are endpoints', () => exists(server, endpointsPath));
    versions.push(readVersion(await server.expect(200, 'GET', endpointsPath)));
    // A slice that comes back says that a pass was made.
    await server.expect(200, 'DELETE', `${slices}/${service}`);
    await until('there is a slice again', () => exists(server, `${slices}/${service}`));
    versions.push(readVersion(await server.expect(200, 'GET', endpointsPath)));
  }
  assert.equal(versions[0], versions[1]);
  await using server = await startAdminServer({ dataDir, advertiseAddress, endpointReconcilerType: 'none' });
  assert.deepEqual(await addresses(server), []);
  assert.equal(await exists(server, `${slices}/${service}`), false);
});

for (const options of [{ advertiseAddress, endpointReconcilerType: 'none' as const }, {}])
  test(`there are no endpoints with ${JSON.stringify(options)}`, async () => {
    await using server = await startAdminServer(options);
    await server.expect(200, 'GET', servicePath);
    await server.expect(404, 'GET', endpointsPath);
    await server.expect(404, 'GET', `${slices}/${service}`);
  });

test('a dead server is removed from Endpoints and slices', async () => {
  await using directory = await createTemporaryDirectory();
  const dataDir = directory.path;
  await leaveLease(dataDir, '192.0.2.11:1');
  await using server = await startAdminServer({ dataDir, advertiseAddress });
  await until('both are endpoints', async () => (await addresses(server)).length === 2);
  const { items } = await server.expect(200, 'GET', slices);
  assert.equal(objectsAt(items).length, 2);
  await until('one is', async () => (await addresses(server)).length === 1);
  assert.deepEqual(await addresses(server), [advertiseAddress]);
  const left = await server.expect(200, 'GET', slices);
  assert.deepEqual(
    objectsAt(left, 'items').map(slice => at(slice, 'endpoints', 0, 'addresses', 0)),
    [advertiseAddress],
  );
});

test('an address that Endpoints cannot have is refused at the start', async () => {
  await assert.rejects(
    startAdminServer({ advertiseAddress: '127.0.0.1' }),
    /--advertise-address: may not be in the loopback range/,
  );
});

/** Leaves the lease of a server that was killed. */
async function leaveLease(dataDir: string, server: string): Promise<void> {
  await using service = await createStorageService({
    backend: { kind: 'embedded', directory: join(dataDir, 'store') },
    log: silentLogger,
    metrics: createMetrics({ process: false }),
  });
  using call = createCallContext({ timeoutMs: 20_000 });
  const key = storageKeyFrom(`/_servers/${server}`);
  const puts = [{ key, value: Buffer.from(server) }];
  assert.ok((await service.storage.transact({ preconditions: [], puts, deletes: [] }, call)).committed);
}
