import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { until } from './api-server.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const group = 'harbour.example.com';
const contentType = 'application/merge-patch+json';

async function define(plural: string, kind: string): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  };
  await server.expect(201, 'POST', definitions, {
    body: { metadata: { name: `${plural}.${group}` }, spec },
  });
  const collection = `/apis/${group}/v1/${plural}`;
  await until(`${plural} are served`, async () => (await server.send('GET', collection)).code === 200);
}

const customs = (namespace: string, plural: string): string =>
  `${namespace.replace('/api/v1', `/apis/${group}/v1`)}/${plural}`;

async function make(collection: string, body: JsonObject): Promise<JsonObject> {
  return server.expect(201, 'POST', collection, { body });
}

function refer(owner: JsonObject): JsonObject {
  const { kind = '', apiVersion = '' } = owner;
  const name = at(owner, 'metadata', 'name') ?? '';
  const uid = at(owner, 'metadata', 'uid') ?? '';
  return { apiVersion, kind, name, uid, blockOwnerDeletion: true };
}

const custom = (kind: string, metadata: JsonObject): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata,
});
const gone = (path: string): Promise<void> =>
  until(`${path} goes`, async () => (await server.send('GET', path)).code === 404);

test('custom objects of a later definition can be owners and dependents', async () => {
  await define('boats', 'Boat');
  const namespace = await server.namespace();
  const [boats, maps] = [customs(namespace, 'boats'), `${namespace}/configmaps`];
  for (const policy of ['Background', 'Foreground']) {
    const owner = await make(maps, { metadata: { name: 'owner' } });
    const boat = await make(boats, custom('Boat', { name: 'b', ownerReferences: [refer(owner)] }));
    await make(maps, { metadata: { name: 'cargo', ownerReferences: [refer(boat)] } });
    await server.expect(200, 'DELETE', `${maps}/owner?propagationPolicy=${policy}`);
    for (const path of [`${boats}/b`, `${maps}/cargo`, `${maps}/owner`]) await gone(path);
  }
  const boat = await make(boats, custom('Boat', { name: 'b' }));
  await make(maps, { metadata: { name: 'cargo', ownerReferences: [refer(boat)] } });
  await server.expect(200, 'DELETE', `${boats}/b?propagationPolicy=Orphan`);
  await gone(`${boats}/b`);
  const cargo = await server.expect(200, 'GET', `${maps}/cargo`);
  assert.equal(at(cargo, 'metadata', 'ownerReferences'), undefined);
});

function readConditions(namespace: JsonObject): Map<JsonValue | undefined, JsonValue | undefined> {
  const conditions = at(namespace, 'status', 'conditions');
  return new Map(
    Array.isArray(conditions) ? conditions.map(each => [at(each, 'type'), at(each, 'status')]) : [],
  );
}

test('a namespace is deleted with its custom objects, and its conditions show what it waits for', async () => {
  await define('buoys', 'Buoy');
  const namespace = await server.namespace();
  const buoys = customs(namespace, 'buoys');
  await make(buoys, custom('Buoy', { name: 'free' }));
  await make(buoys, custom('Buoy', { name: 'held', finalizers: ['example.com/hold'] }));
  await server.expect(200, 'DELETE', namespace);
  await until('the conditions say what is left', async () => {
    const conditions = readConditions(await server.expect(200, 'GET', namespace));
    return conditions.get('NamespaceFinalizersRemaining') === 'True';
  });
  assert.deepEqual(
    [...readConditions(await server.expect(200, 'GET', namespace))],
    [
      ['NamespaceDeletionDiscoveryFailure', 'False'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False'],
      ['NamespaceDeletionContentFailure', 'False'],
      ['NamespaceContentRemaining', 'True'],
      ['NamespaceFinalizersRemaining', 'True'],
    ],
  );
  await gone(`${buoys}/free`);
  await server.expect(200, 'PATCH', `${buoys}/held`, {
    body: { metadata: { finalizers: null } },
    contentType,
  });
  await gone(namespace);
});
