import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { decodeProtobuf } from '@binnacle/codecs';
import { at } from './admin-server.ts';
import { type ApiServer, type Call, until } from './api-server.ts';
import { createDefinition, definitionsPath } from './custom-widget.ts';
import { objectAt, objectsAt, textsAt } from './setup/json-parts.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

const aliasPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const protobuf = 'application/vnd.kubernetes.protobuf';
const rule = { rule: 'size(self) < 5', message: 'too many' };
const text = { type: 'string' };
/** Schemas that say the same to each side. */
const createSchema = (prefix: string, embedded: string) => ({
  type: 'object',
  properties: {
    free: { type: 'object', [`${prefix}preserve-unknown-fields`]: true },
    port: { [`${prefix}int-or-string`]: true },
    template: {
      type: 'object',
      [`${prefix}${embedded}`]: true,
      [`${prefix}preserve-unknown-fields`]: true,
    },
    parts: {
      type: 'array',
      maxItems: 9,
      [`${prefix}list-type`]: 'map',
      [`${prefix}list-map-keys`]: ['name'],
      [`${prefix}validations`]: [rule],
      items: {
        type: 'object',
        [`${prefix}map-type`]: 'atomic',
        required: ['name'],
        properties: { name: text },
      },
    },
  },
});
const ownSchema = createSchema('x-cluster-', 'embedded-type');
const aliasSchema = createSchema('x-kubernetes-', 'embedded-resource');

const theirs = (plural: string, schema: object = aliasSchema): JsonObject => {
  const kind = `${plural.slice(0, 1).toUpperCase()}${plural.slice(1)}Kind`;
  return JSON.parse(
    JSON.stringify({ ...createDefinition(plural, kind, schema), apiVersion: 'apiextensions.k8s.io/v1' }),
  );
};

async function expect(code: number, method: string, path: string, call: Call = {}): Promise<JsonObject> {
  const answer = await server.call(method, path, call);
  assert.equal(answer.code, code, `${method} ${path}: ${answer.text}`);
  return answer.text.startsWith('{') ? JSON.parse(answer.text) : {};
}

const definitionName = (plural: string) => `${plural}.shop.example.com`;
const schemaIn = (definition: JsonObject) =>
  at(definition, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema');
const withType = (type: string) => ({ 'Content-Type': type });

/** Creates a definition through the alias; waits until the server has written its last condition. */
async function create(plural: string): Promise<string> {
  await expect(201, 'POST', aliasPath, { body: theirs(plural) });
  const path = `${aliasPath}/${definitionName(plural)}`;
  await until('the definition is established', async () =>
    JSON.stringify(at(await expect(200, 'GET', path), 'status')).includes('"Established"'),
  );
  return path;
}

/** Each marker that the text of an answer has, once. */
function markersIn(answered: unknown): string[] {
  const found = JSON.stringify(answered).match(/x-(cluster|kubernetes)-(?!pf-)/g) ?? [];
  return [...new Set(found)].sort();
}

test('a definition read in either group has the names that belong to that group', ofCluster, async () => {
  const path = await create('reads');
  const shown = await expect(200, 'GET', path);
  assert.equal(shown['apiVersion'], 'apiextensions.k8s.io/v1');
  assert.deepEqual(schemaIn(shown), aliasSchema);
  assert.deepEqual(markersIn(shown), ['x-kubernetes-']);
  const own = await expect(200, 'GET', `${definitionsPath}/${definitionName('reads')}`);
  assert.deepEqual(schemaIn(own), ownSchema);
  assert.deepEqual(markersIn(own), ['x-cluster-']);
  for (const form of ['application/json', 'application/yaml', `${protobuf}, application/json`])
    for (const [base, marker] of [
      [aliasPath, 'x-kubernetes-list-map-keys'],
      [definitionsPath, 'x-cluster-list-map-keys'],
    ] as const) {
      const list = await server.call('GET', base, { headers: { Accept: form } });
      assert.equal(list.code, 200);
      // On the wire fields are numbers; what is JSON there, such as managed fields, has names.
      if (!form.startsWith(protobuf)) assert.match(list.text, new RegExp(marker));
      const other = base === aliasPath ? /x-cluster-/ : /x-kubernetes-/;
      assert.doesNotMatch(list.text, other, `${base} as ${form}`);
    }
});

test('a definition read in protobuf and sent back is unchanged', ofCluster, async () => {
  const path = await create('wired');
  const message = messageNamed('apiextensions.v1.CustomResourceDefinition');
  const before = await expect(200, 'GET', path);
  const { bytes } = await server.call('GET', path, { headers: { Accept: protobuf } });
  const { object, apiVersion } = decodeProtobuf(bytes, message);
  assert.equal(apiVersion, 'apiextensions.k8s.io/v1');
  assert.deepEqual(schemaIn(object), ownSchema, 'on the wire a field is a number');
  assert.match(JSON.stringify(at(object, 'metadata', 'managedFields')), /"apiextensions.k8s.io\/v1"/);
  const answer = await server.call('PUT', path, {
    body: bytes,
    headers: { ...withType(protobuf), Accept: 'application/json' },
  });
  assert.equal(answer.code, 200, answer.text);
  assert.deepEqual(schemaIn(JSON.parse(answer.text)), schemaIn(before));
  assert.equal(at(JSON.parse(answer.text), 'metadata', 'generation'), 1);
  const list = decodeProtobuf(
    (await server.call('GET', aliasPath, { headers: { Accept: protobuf } })).bytes,
    messageNamed('apiextensions.v1.CustomResourceDefinitionList'),
  );
  const found = objectsAt(list.object, 'items').find(
    item => at(item, 'metadata', 'name') === definitionName('wired'),
  );
  assert.deepEqual(schemaIn(found ?? {}), ownSchema);
});

test('managed fields in partial metadata and Tables have the names of the group', ofCluster, async () => {
  await expect(201, 'PATCH', `${aliasPath}/${definitionName('partial')}?fieldManager=m`, {
    body: theirs('partial'),
    headers: withType('application/apply-patch+yaml'),
  });
  for (const as of ['PartialObjectMetadata', 'Table'])
    for (const [base, group] of [
      [aliasPath, 'k8s.io'],
      [definitionsPath, 'cluster.io'],
    ]) {
      const Accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
      const shown = await expect(200, 'GET', `${base}/${definitionName('partial')}`, { headers: { Accept } });
      assert.match(JSON.stringify(shown), new RegExp(`"apiextensions.${group}/v1"`));
      assert.doesNotMatch(
        JSON.stringify(shown),
        new RegExp(`"apiextensions.${group === 'k8s.io' ? 'cluster.io' : 'k8s.io'}/v1"`),
      );
    }
});

test('watches in both groups see the same change in their own names', ofCluster, async () => {
  const path = await create('watched');
  const query = `?watch=1&resourceVersion=0&fieldSelector=metadata.name=${definitionName('watched')}`;
  using alias = await server.watch(aliasPath + query);
  using own = await server.watch(definitionsPath + query);
  await expect(200, 'PATCH', path, {
    body: { metadata: { labels: { seen: 'yes' } } },
    headers: withType('application/merge-patch+json'),
  });
  const seen = (stream: typeof alias) =>
    stream.events.some(
      ({ type, object }) => type === 'MODIFIED' && object.metadata.labels?.['seen'] === 'yes',
    );
  await until('both watches tell of the change', () => seen(alias) && seen(own));
  assert.deepEqual(markersIn(alias.events), ['x-kubernetes-']);
  assert.deepEqual(markersIn(own.events), ['x-cluster-']);
});

test('an update with the object that a client read changes nothing, in either group', ofCluster, async () => {
  const path = await create('same');
  const before = await expect(200, 'GET', path);
  const after = await expect(200, 'PUT', path, { body: before });
  assert.deepEqual(after, before);
  const own = await expect(200, 'GET', `${definitionsPath}/${definitionName('same')}`);
  assert.deepEqual(
    await expect(200, 'PUT', `${definitionsPath}/${definitionName('same')}`, { body: own }),
    own,
  );
});

test('patches of each type use paths in the names of the group', ofCluster, async () => {
  const path = await create('patched');
  const root = '/spec/versions/0/schema/openAPIV3Schema/properties';
  const operations = [
    { op: 'test', path: `${root}/template/x-kubernetes-embedded-resource`, value: true },
    { op: 'remove', path: `${root}/parts/x-kubernetes-validations` },
    { op: 'add', path: `${root}/extra`, value: { type: 'object', 'x-kubernetes-map-type': 'granular' } },
  ];
  const patched = await expect(200, 'PATCH', path, {
    body: operations,
    headers: withType('application/json-patch+json'),
  });
  assert.deepEqual(at(schemaIn(patched), 'properties', 'extra'), operations[2]?.value);
  assert.equal(at(schemaIn(patched), 'properties', 'parts', 'x-kubernetes-validations'), undefined);
  assert.deepEqual(markersIn(patched), ['x-kubernetes-']);

  const version = objectAt(patched, 'spec', 'versions', 0);
  const properties = { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const merged = await expect(200, 'PATCH', path, {
    body: {
      spec: { versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties } } }] },
    },
    headers: withType('application/merge-patch+json'),
  });
  assert.deepEqual(at(schemaIn(merged), 'properties'), properties);

  const strategic = await expect(200, 'PATCH', path, {
    body: { spec: { versions: [{ ...version, schema: { openAPIV3Schema: aliasSchema } }] } },
    headers: withType('application/strategic-merge-patch+json'),
  });
  assert.deepEqual(schemaIn(strategic), aliasSchema);
  const own = await expect(200, 'GET', `${definitionsPath}/${definitionName('patched')}`);
  assert.deepEqual(schemaIn(own), ownSchema);
});

test('an apply uses the names of the group, whether it has unknown fields or not', ofCluster, async () => {
  const path = `${aliasPath}/${definitionName('applied')}?fieldManager=m&fieldValidation=Strict`;
  const apply = (code: number, body: JsonObject, query = '') =>
    expect(code, 'PATCH', path + query, { body, headers: withType('application/apply-patch+yaml') });
  const created = await apply(201, theirs('applied'));
  assert.deepEqual(schemaIn(created), aliasSchema);
  assert.deepEqual(markersIn(created), ['x-kubernetes-']);
  const repeated = await apply(200, theirs('applied'));
  assert.equal(at(repeated, 'metadata', 'generation'), 1);
  // The same through the own name takes either.
  const mixed = { ...theirs('applied'), apiVersion: 'apiextensions.cluster.io/v1' };
  const own = await expect(200, 'PATCH', `${definitionsPath}/${definitionName('applied')}?fieldManager=m`, {
    body: mixed,
    headers: withType('application/apply-patch+yaml'),
  });
  assert.equal(at(own, 'metadata', 'generation'), 1);
  assert.deepEqual(markersIn(own), ['x-cluster-']);
});

test('dry runs, deletions and refusals use the names of the group', ofCluster, async () => {
  const dry = await expect(201, 'POST', `${aliasPath}?dryRun=All`, { body: theirs('dry') });
  assert.deepEqual(markersIn(dry), ['x-kubernetes-']);
  const wrong = theirs('wrong', {
    type: 'object',
    properties: { set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bogus' } },
  });
  const refused = await expect(422, 'POST', aliasPath, { body: wrong });
  assert.match(JSON.stringify(at(refused, 'details', 'causes')), /properties\[set\]\.x-kubernetes-list-type/);
  assert.deepEqual(markersIn(refused), ['x-kubernetes-']);
  const path = await create('gone');
  await expect(200, 'PATCH', path, {
    body: { metadata: { finalizers: ['example.com/hold'] } },
    headers: withType('application/merge-patch+json'),
  });
  const deleted = await expect(200, 'DELETE', path);
  assert.deepEqual(markersIn(deleted), ['x-kubernetes-']);
  // A client that takes its own finalizer away leaves the other one to the server; others write meanwhile.
  await until('the finalizer is taken away', async () => {
    const deleting = await expect(200, 'GET', path);
    assert.deepEqual(markersIn(deleting), ['x-kubernetes-']);
    const finalizers = textsAt(deleting, 'metadata', 'finalizers').filter(one => !one.startsWith('example'));
    assert.ok(finalizers.every(one => one === 'customresourcecleanup.apiextensions.k8s.io'));
    const metadata = { ...objectAt(deleting, 'metadata'), finalizers };
    const put = await server.call('PUT', path, { body: { ...deleting, metadata } });
    assert.ok([200, 409].includes(put.code), put.text);
    return put.code === 200;
  });
  await until('the definition is gone', async () => (await server.call('GET', path)).code === 404);
});
