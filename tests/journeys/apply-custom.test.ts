import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { apply, listManagers } from './apply-as-manager.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
/** It ends as other names of groups do, and is a name of its own. */
const group = 'harbour.k8s.io';
const text = { type: 'string' };
const textList = (marks: JsonObject = {}): JsonObject => ({ type: 'array', items: text, ...marks });
const textMap = (marks: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: text,
  ...marks,
});

/** A definition of a kind whose spec has these fields; the names follow from the kind. */
function definition(kind: string, properties: JsonObject): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  const spec = { type: 'object', properties };
  const status = { type: 'object', properties: { phase: text } };
  const openAPIV3Schema = { type: 'object', properties: { spec, status } };
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.cluster.io': 'unapproved, experimental-only' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema },
        },
      ],
    },
  };
}

/** Defines a kind and waits until it is served; gives the path of an object of it. */
async function define(kind: string, properties: JsonObject): Promise<string> {
  await server.expect(201, 'POST', definitions, { body: definition(kind, properties) });
  const namespace = (await server.namespace()).split('/').at(-1);
  const collection = `/apis/${group}/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
  await eventually(async () => (await server.send('GET', collection)).code === 200);
  return `${collection}/a`;
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const giveUp = AbortSignal.timeout(20_000);
  while (!(await holds())) {
    assert.ok(!giveUp.aborted, 'in vain');
    await nextTurn();
  }
}

const custom = (kind: string, spec: JsonObject, rest: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: 'a' },
  spec,
  ...rest,
});

function conflictingFields(status: JsonObject): JsonValue {
  const causes = at(status, 'details', 'causes');
  return Array.isArray(causes) ? causes.map(cause => at(cause, 'field') ?? null) : [];
}

test('10: without markers, fields and entries of maps are shared and lists are not', async () => {
  const path = await define('Buoy', {
    list: textList(),
    labels: textMap(),
    any: { 'x-cluster-preserve-unknown-fields': true },
  });
  const spec = { list: ['a'], labels: { a: '1' }, any: { deep: { x: 1, list: [1] } } };
  await apply(server, path, ['m1', custom('Buoy', spec), { code: 201 }]);
  const both = await apply(server, path, [
    'm2',
    custom('Buoy', { labels: { b: '2' }, any: { deep: { y: 2 } } }),
  ]);
  assert.deepEqual(both['spec'], {
    list: ['a'],
    labels: { a: '1', b: '2' },
    any: { deep: { x: 1, y: 2, list: [1] } },
  });
  const refused = await apply(server, path, [
    'm2',
    custom('Buoy', { list: ['b'], any: { deep: { list: [2] } } }),
    { code: 409 },
  ]);
  assert.deepEqual(conflictingFields(refused), ['.spec.list', '.spec.any.deep.list']);
});

test('8: markers of a schema say how its lists and maps are shared', async () => {
  const pair = { type: 'object', required: ['k'], properties: { k: text, v: text } };
  const path = await define('Pier', {
    set: textList({ 'x-cluster-list-type': 'set' }),
    map: { type: 'array', items: pair, 'x-cluster-list-type': 'map', 'x-cluster-list-map-keys': ['k'] },
    whole: textMap({ 'x-cluster-map-type': 'atomic' }),
  });
  const first = { set: ['a'], map: [{ k: '1', v: 'x' }], whole: { a: '1' } };
  await apply(server, path, ['m1', custom('Pier', first), { code: 201 }]);
  const second = await apply(server, path, ['m2', custom('Pier', { set: ['b'], map: [{ k: '2' }] })]);
  assert.deepEqual(second['spec'], {
    set: ['a', 'b'],
    map: [{ k: '1', v: 'x' }, { k: '2' }],
    whole: { a: '1' },
  });
  const refused = await apply(server, path, [
    'm2',
    custom('Pier', { map: [{ k: '1', v: 'y' }], whole: { b: '2' } }),
    { code: 409 },
  ]);
  assert.deepEqual(conflictingFields(refused), ['.spec.whole', '.spec.map[k="1"].v']);
  for (const spec of [{ set: ['q', 'q'] }, { map: [{ k: 'q' }, { k: 'q' }] }, { map: [{ v: 'q' }] }])
    await apply(server, path, ['m3', custom('Pier', spec), { code: 400 }]);
});

async function redefine(
  kind: string,
  properties: JsonObject,
  applies: () => Promise<boolean>,
): Promise<void> {
  const wanted = definition(kind, properties);
  const path = `${definitions}/${at(wanted, 'metadata', 'name')}`;
  const { versions } = wanted['spec'] as { versions: JsonValue }; // As it was just made.
  await server.expect(200, 'PATCH', path, {
    body: { spec: { versions } },
    contentType: 'application/merge-patch+json',
  });
  await eventually(applies);
}

test('11: the managers of parts of a value that became atomic manage the whole value', async () => {
  const path = await define('Crane', { labels: textMap() });
  await apply(server, path, ['m1', custom('Crane', { labels: { a: '1' } }), { code: 201 }]);
  const tryOther = async () =>
    (
      await server.send('PATCH', `${path}?fieldManager=m2&dryRun=All`, {
        body: custom('Crane', { labels: { b: '2' } }),
        contentType: 'application/apply-patch+yaml',
      })
    ).code;
  assert.equal(await tryOther(), 200);
  await redefine(
    'Crane',
    { labels: textMap({ 'x-cluster-map-type': 'atomic' }) },
    async () => (await tryOther()) === 409,
  );
  const refused = await apply(server, path, ['m2', custom('Crane', { labels: { b: '2' } }), { code: 409 }]);
  assert.deepEqual(conflictingFields(refused), ['.spec.labels']);
  const repeated = await apply(server, path, ['m1', custom('Crane', { labels: { c: '3' } })]);
  assert.deepEqual(repeated['spec'], { labels: { c: '3' } });
});

test('11: parts of a value that was atomic have no manager', async () => {
  const path = await define('Quay', { labels: textMap({ 'x-cluster-map-type': 'atomic' }) });
  await apply(server, path, ['m1', custom('Quay', { labels: { a: '1' } }), { code: 201 }]);
  const tryOther = async () =>
    (
      await server.send('PATCH', `${path}?fieldManager=m2&dryRun=All`, {
        body: custom('Quay', { labels: { a: '2' } }),
        contentType: 'application/apply-patch+yaml',
      })
    ).code;
  assert.equal(await tryOther(), 409);
  await redefine('Quay', { labels: textMap() }, async () => (await tryOther()) === 200);
  const taken = await apply(server, path, ['m2', custom('Quay', { labels: { a: '2' } })]);
  assert.deepEqual(taken['spec'], { labels: { a: '2' } });
  assert.ok(listManagers(taken).includes(`m2 Apply ${group}/v1: f:spec/f:labels/f:a`));
});

test('the status of a custom object is written through its subresource only', async () => {
  const path = await define('Mole', { length: { type: 'integer' } });
  const status = { phase: 'built' };
  const created = await apply(server, path, ['m1', custom('Mole', { length: 1 }, { status }), { code: 201 }]);
  assert.equal(created['status'], undefined);
  const written = await apply(server, `${path}/status`, ['st', custom('Mole', { length: 2 }, { status })]);
  assert.deepEqual([written['spec'], written['status']], [{ length: 1 }, status]);
  assert.deepEqual(listManagers(written).sort(), [
    `m1 Apply ${group}/v1: f:spec/f:length`,
    `st Apply ${group}/v1 status: f:status/f:phase`,
  ]);
});
