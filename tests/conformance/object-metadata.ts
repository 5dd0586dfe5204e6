import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import {
  assertRefused,
  createAll,
  freshCollection,
  freshConfigMaps,
  listCauses,
  readVersion,
  touch,
} from './drivers/collections.ts';
import {
  type Answer,
  at,
  type ConformanceServer,
  type ConformanceTests,
} from './drivers/conformance-server.ts';

const mergePatch = 'application/merge-patch+json';
const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;

const create = (server: ConformanceServer, collection: string, metadata: object): Promise<Answer> =>
  server.expect(201, 'POST', collection, { body: { metadata } });

/** The entries of an object's managedFields. */
function readEntries(answer: Answer): readonly JsonObject[] {
  const entries = answer.at('metadata', 'managedFields');
  assert.ok(Array.isArray(entries) && entries.length > 0, answer.text);
  return entries as readonly JsonObject[]; // Entries are objects.
}

/** A ConfigMap that one manager applied and another updated. */
async function twoManagers(server: ConformanceServer): Promise<Answer> {
  const maps = await freshConfigMaps(server);
  await server.expect(201, 'PATCH', `${maps}/a?fieldManager=applier`, {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { applied: '1' } },
    contentType: 'application/apply-patch+yaml',
  });
  return server.expect(200, 'PATCH', `${maps}/a?fieldManager=updater`, {
    body: { data: { updated: '2' } },
    contentType: mergePatch,
  });
}

/** The keys of a tree at every depth. */
function listKeys(tree: JsonValue | undefined): string[] {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return [];
  return Object.entries(tree).flatMap(([key, value]) => [key, ...listKeys(value)]);
}

const metadataTests: ConformanceTests = {
  '1/Common object metadata/name the name is the one that was sent': async server => {
    const secrets = await freshCollection(server);
    const created = await create(server, secrets, { name: 'chosen.name-1' });
    assert.equal(created.at('metadata', 'name'), 'chosen.name-1');
    const refused = await server.request('POST', secrets, { body: { metadata: { name: 'Bad_Name' } } });
    assertRefused(refused, 422, 'Invalid');
    assert.deepEqual(listCauses(refused), ['metadata.name FieldValueInvalid']);
    assert.deepEqual([refused.at('details', 'name'), refused.at('details', 'kind')], ['Bad_Name', 'Secret']);
  },
  '1/Common object metadata/generateName names are the prefix and five random characters': async server => {
    const secrets = await freshCollection(server);
    const names = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const created = await create(server, secrets, { generateName: 'gn-' });
      const name = String(created.at('metadata', 'name'));
      assert.match(name, /^gn-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      assert.equal(created.at('metadata', 'generateName'), 'gn-');
      names.add(name);
    }
    assert.equal(names.size, 5);
    const long = await create(server, secrets, { generateName: 'x'.repeat(80) });
    assert.equal(String(long.at('metadata', 'name')).length, 63);
    const chosen = await create(server, secrets, { generateName: 'gn-', name: 'mine' });
    assert.equal(chosen.at('metadata', 'name'), 'mine');
  },
  '1/Common object metadata/namespace it is that of the path, and may be left out': async server => {
    const secrets = await freshCollection(server);
    const namespace = secrets.split('/')[4];
    assert.equal((await create(server, secrets, { name: 'a' })).at('metadata', 'namespace'), namespace);
    await create(server, secrets, { name: 'b', namespace });
    const other = await server.request('POST', secrets, {
      body: { metadata: { name: 'c', namespace: 'elsewhere' } },
    });
    assertRefused(other, 400, 'BadRequest');
    const role = await server.expect(
      200,
      'GET',
      '/apis/rbac.authorization.cluster.io/v1/clusterroles/cluster-admin',
    );
    assert.equal(role.at('metadata', 'namespace'), undefined);
  },
  '1/Common object metadata/uid each object has one, which the client cannot choose': async server => {
    const secrets = await freshCollection(server);
    const first = await create(server, secrets, { name: 'a', uid: 'mine' });
    const uid = String(first.at('metadata', 'uid'));
    assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await server.expect(200, 'DELETE', `${secrets}/a`);
    const second = await create(server, secrets, { name: 'a' });
    assert.notEqual(second.at('metadata', 'uid'), uid);
    await touch(server, `${secrets}/a`, '1');
    const kept = await server.expect(200, 'GET', `${secrets}/a`);
    assert.equal(kept.at('metadata', 'uid'), second.at('metadata', 'uid'));
  },
  '1/Common object metadata/resourceVersion it changes with the object and only then': async server => {
    const secrets = await freshCollection(server);
    const created = await create(server, secrets, { name: 'a' });
    const first = readVersion(created);
    assert.notEqual(first, '');
    const item = `${secrets}/a`;
    assert.equal(readVersion(await server.expect(200, 'GET', item)), first);
    assert.equal(readVersion(await server.expect(200, 'PUT', item, { body: created.body })), first);
    assert.notEqual(await touch(server, item, '1'), first);
  },
  '1/Common object metadata/resourceVersion an update with another version is a conflict': async server => {
    const secrets = await freshCollection(server);
    const created = await create(server, secrets, { name: 'a' });
    await touch(server, `${secrets}/a`, '1');
    const stale = await server.request('PUT', `${secrets}/a`, { body: created.body });
    assertRefused(stale, 409, 'Conflict');
    assert.match(String(stale.at('message')), /the object has been modified/);
    assert.deepEqual(stale.at('details'), { name: 'a', kind: 'secrets' });
  },
  '1/Common object metadata/creationTimestamp it is the time of the server and stays': async server => {
    const secrets = await freshCollection(server);
    const before = Math.floor(Date.now() / 1000) * 1000;
    const created = await create(server, secrets, { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z' });
    const stamp = String(created.at('metadata', 'creationTimestamp'));
    assert.match(stamp, time);
    assert.ok(Date.parse(stamp) >= before && Date.parse(stamp) <= Date.now(), stamp);
    const patched = await server.expect(200, 'PATCH', `${secrets}/a`, {
      body: { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', labels: { a: 'b' } } },
      contentType: mergePatch,
    });
    assert.equal(patched.at('metadata', 'creationTimestamp'), stamp);
  },
  '1/Common object metadata/deletionTimestamp the first delete sets it, nothing else does': async server => {
    const secrets = await freshCollection(server);
    const finalizers = ['example.com/a'];
    const sent = { name: 'a', finalizers, deletionTimestamp: '2001-01-01T00:00:00Z' };
    assert.equal((await create(server, secrets, sent)).at('metadata', 'deletionTimestamp'), undefined);
    await server.expect(200, 'DELETE', `${secrets}/a`);
    const first = await server.expect(200, 'GET', `${secrets}/a`);
    assert.match(String(first.at('metadata', 'deletionTimestamp')), time);
    await server.expect(200, 'DELETE', `${secrets}/a`);
    const cleared = await server.expect(200, 'PATCH', `${secrets}/a`, {
      body: { metadata: { deletionTimestamp: null, labels: { a: 'b' } } },
      contentType: mergePatch,
    });
    assert.equal(cleared.at('metadata', 'deletionTimestamp'), first.at('metadata', 'deletionTimestamp'));
  },
  '1/Common object metadata/finalizers they may be reordered': async server => {
    const secrets = await freshCollection(server);
    const finalizers = ['example.com/a', 'example.com/b'];
    await create(server, secrets, { name: 'a', finalizers });
    const reordered = await server.expect(200, 'PATCH', `${secrets}/a`, {
      body: { metadata: { finalizers: finalizers.toReversed() } },
      contentType: mergePatch,
    });
    assert.deepEqual(reordered.at('metadata', 'finalizers'), finalizers.toReversed());
    await server.expect(200, 'PATCH', `${secrets}/a`, {
      body: { metadata: { finalizers: null } },
      contentType: mergePatch,
    });
  },
  '1/Common object metadata/labels, annotations both map text to text': async server => {
    const secrets = await freshCollection(server);
    const labels = { 'example.com/tier': 'front', plain: '' };
    const annotations = { 'example.com/note': 'any text: {"even":"this"}' };
    const created = await create(server, secrets, { name: 'a', labels, annotations });
    assert.deepEqual(created.at('metadata', 'labels'), labels);
    assert.deepEqual(created.at('metadata', 'annotations'), annotations);
    const number = await server.request('POST', secrets, {
      body: { metadata: { name: 'b', labels: { a: 1 } } },
    });
    assertRefused(number, 400, 'BadRequest');
    const invalid = await server.request('POST', secrets, {
      body: { metadata: { name: 'b', labels: { a: 'not a label!' } } },
    });
    assertRefused(invalid, 422, 'Invalid');
    assert.deepEqual(listCauses(invalid), ['metadata.labels FieldValueInvalid']);
  },
  '1/Common object metadata/ownerReferences an entry keeps blockOwnerDeletion': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['owner']);
    const owner = await server.expect(200, 'GET', `${secrets}/owner`);
    const reference = {
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'owner',
      uid: owner.at('metadata', 'uid'),
      controller: true,
      blockOwnerDeletion: true,
    };
    const created = await create(server, secrets, { name: 'owned', ownerReferences: [reference] });
    assert.deepEqual(created.at('metadata', 'ownerReferences'), [reference]);
    const refused = await server.request('POST', secrets, {
      body: { metadata: { name: 'b', ownerReferences: [{ ...reference, name: '', uid: '' }] } },
    });
    assertRefused(refused, 422, 'Invalid');
  },
  '1/Common object metadata/managedFields who created an object owns what was set': async server => {
    const maps = await freshConfigMaps(server);
    const created = await server.expect(201, 'POST', `${maps}?fieldManager=m1`, {
      body: { metadata: { name: 'a' }, data: { k: 'v' } },
    });
    const [entry, ...others] = readEntries(created);
    assert.deepEqual(others, []);
    assert.equal(entry?.['manager'], 'm1');
    assert.deepEqual(at(entry, 'fieldsV1', 'f:data', 'f:k'), {});
  },
};

const entryTests: ConformanceTests = {
  '1/managedFields entry/manager it is the one of the request, or the product of the user agent':
    async server => {
      const entries = readEntries(await twoManagers(server));
      assert.deepEqual(entries.map(entry => entry['manager']).sort(), ['applier', 'updater']);
      const created = await create(server, await freshConfigMaps(server), { name: 'a', labels: { a: 'b' } });
      assert.deepEqual(
        readEntries(created).map(entry => entry['manager']),
        ['conformance'],
      );
    },
  '1/managedFields entry/operation Apply by apply, Update by all other writes': async server => {
    const entries = readEntries(await twoManagers(server));
    assert.deepEqual(
      entries.map(entry => [entry['manager'], entry['operation']]),
      [
        ['applier', 'Apply'],
        ['updater', 'Update'],
      ],
    );
  },
  '1/managedFields entry/apiVersion it is the version of the request': async server => {
    for (const entry of readEntries(await twoManagers(server))) assert.equal(entry['apiVersion'], 'v1');
  },
  '1/managedFields entry/time it is a time of the server': async server => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    for (const entry of readEntries(await twoManagers(server))) {
      assert.match(String(entry['time']), time);
      const stamp = Date.parse(String(entry['time']));
      assert.ok(stamp >= before && stamp <= Date.now());
    }
  },
  '1/managedFields entry/fieldsType it is FieldsV1': async server => {
    for (const entry of readEntries(await twoManagers(server))) assert.equal(entry['fieldsType'], 'FieldsV1');
  },
  '1/managedFields entry/fieldsV1 a tree of the fields that were set': async server => {
    const [applied, updated] = readEntries(await twoManagers(server));
    assert.deepEqual(applied?.['fieldsV1'], { 'f:data': { 'f:applied': {} } });
    assert.deepEqual(updated?.['fieldsV1'], { 'f:data': { 'f:updated': {} } });
    for (const key of listKeys(applied?.['fieldsV1'])) assert.match(key, /^f:/);
  },
};

/** 1, "Common object metadata". */
export const objectMetadataTests: ConformanceTests = { ...metadataTests, ...entryTests };
