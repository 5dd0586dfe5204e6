import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { type AdminServer, startAdminServer } from './admin-server.ts';
import { until } from './api-server.ts';
import { createDefinition, definitionsPath } from './custom-widget.ts';

let server: AdminServer;
before(async () => {
  server = await startAdminServer();
});
after(() => server?.[Symbol.asyncDispose]());

const apiServices = '/apis/apiregistration.cluster.io/v1/apiservices';
const label = 'cluster-aggregator.cluster.io/automanaged';
const mergePatch = 'application/merge-patch+json';

const version = (name: string, { served = true, storage = false } = {}) => ({
  name,
  served,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
});

async function define(plural: string, group: string, versions: readonly object[]): Promise<void> {
  const kind = plural[0]?.toUpperCase() + plural.slice(1, -1);
  const body = createDefinition(plural, kind, {}, { group, versions });
  await server.expect(201, 'POST', definitionsPath, { body });
}

async function find(name: string): Promise<ApiObject | undefined> {
  const { code, body } = await server.send('GET', `${apiServices}/${name}`);
  return code === 200 ? (body as ApiObject) : undefined; // Of its path.
}

const isThere = async (name: string) => (await find(name)) !== undefined;
const isGone = async (name: string) => !(await isThere(name));

function createExpected(group: string, name: string) {
  return {
    labels: { [label]: 'true' },
    spec: { group, version: name, groupPriorityMinimum: 1000, versionPriority: 100 },
    condition: { type: 'Available', status: 'True', reason: 'Local' },
  };
}

function pickParts(object: ApiObject | undefined) {
  const status = object?.['status'] as { conditions: { type: string; status: string; reason: string }[] };
  const { type = '', status: holds = '', reason = '' } = status.conditions[0] ?? {};
  return {
    labels: object?.metadata.labels,
    spec: object?.['spec'],
    condition: { type, status: holds, reason },
  };
}

test('each served group version of definitions has one APIService while a definition serves it', async () => {
  const group = 'several.example.com';
  await define('ones', group, [
    version('v1', { storage: true }),
    version('v2'),
    version('v3', { served: false }),
  ]);
  await define('others', group, [version('v1', { storage: true })]);
  for (const name of ['v1', 'v2']) {
    await until(`${name} is there`, () => isThere(`${name}.${group}`));
    assert.deepEqual(pickParts(await find(`${name}.${group}`)), createExpected(group, name));
  }
  const { uid } = (await find(`v1.${group}`))?.metadata ?? {};

  await server.expect(200, 'PATCH', `${definitionsPath}/ones.${group}`, {
    contentType: mergePatch,
    body: {
      spec: {
        versions: [version('v1', { storage: true }), version('v2', { served: false }), version('v3')],
      },
    },
  });
  await until('v2 is gone', () => isGone(`v2.${group}`));
  await until('v3 is there', () => isThere(`v3.${group}`));

  await server.expect(200, 'DELETE', `${definitionsPath}/ones.${group}`);
  await until('v3 is gone', () => isGone(`v3.${group}`));
  // The other definition serves it still.
  assert.equal((await find(`v1.${group}`))?.metadata.uid, uid);
  await server.expect(200, 'DELETE', `${definitionsPath}/others.${group}`);
  await until('v1 is gone', () => isGone(`v1.${group}`));
});

test('a deleted APIService is recreated, and its specification is restored', async () => {
  const group = 'kept.example.com';
  const name = `v1.${group}`;
  await define('kepts', group, [version('v1', { storage: true })]);
  await until('it is there', () => isThere(name));
  const { uid } = (await find(name))?.metadata ?? {};
  await server.expect(200, 'DELETE', `${apiServices}/${name}`);
  await until('it is another one', async () => {
    const found = await find(name);
    return found !== undefined && found.metadata.uid !== uid;
  });
  await server.expect(200, 'PATCH', `${apiServices}/${name}`, {
    contentType: mergePatch,
    body: { spec: { versionPriority: 7 }, metadata: { annotations: { note: 'mine' } } },
  });
  await until('its priority is what it was', async () => {
    const { spec } = pickParts(await find(name));
    return (spec as { versionPriority: number }).versionPriority === 100;
  });
  assert.deepEqual((await find(name))?.metadata.annotations, { note: 'mine' });
});

test('an APIService of a user is not changed, before and after a definition serves its group version', async () => {
  const group = 'mine.example.com';
  const name = `v1.${group}`;
  const spec = { group, version: 'v1', groupPriorityMinimum: 5, versionPriority: 6 };
  const body: JsonObject = {
    apiVersion: 'apiregistration.cluster.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec,
  };
  const created = (await server.expect(201, 'POST', apiServices, { body })) as ApiObject; // As sent.
  await define('mines', group, [version('v1', { storage: true }), version('v2')]);
  await until('that of the other version is there', () => isThere(`v2.${group}`));
  assert.deepEqual(await find(name), created);
  await server.expect(200, 'DELETE', `${definitionsPath}/mines.${group}`);
  await until('that of the other version is gone', () => isGone(`v2.${group}`));
  assert.deepEqual(await find(name), created);
});

test('a labelled APIService without a definition is deleted, and those of built-in groups are kept', async () => {
  const built = await find('v1.apps');
  assert.equal(built?.metadata.labels?.[label], 'onstart');
  await server.expect(200, 'PATCH', `${apiServices}/v1.apps`, {
    contentType: mergePatch,
    body: { metadata: { labels: { [label]: 'true' } } },
  });
  const name = 'v1.stray.example.com';
  const body: JsonObject = {
    apiVersion: 'apiregistration.cluster.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [label]: 'true' }, finalizers: ['example.com/held'] },
    spec: { group: 'stray.example.com', version: 'v1', groupPriorityMinimum: 5, versionPriority: 6 },
  };
  await server.expect(201, 'POST', apiServices, { body });
  await until(
    'it is being deleted',
    async () => (await find(name))?.metadata.deletionTimestamp !== undefined,
  );
  await server.expect(200, 'PATCH', `${apiServices}/${name}`, {
    contentType: mergePatch,
    body: { metadata: { finalizers: null } },
  });
  assert.ok(await isGone(name));
  assert.equal((await find('v1.apps'))?.metadata.uid, built?.metadata.uid);
});
