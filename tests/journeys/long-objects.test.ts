import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { encodeYaml, parseYamlAtOnce } from '@binnacle/codecs/texts';
import type { ApiServer } from './api-server.ts';
import { createDefinition, establish } from './custom-widget.ts';
import { objectAt } from './setup/json-parts.ts';
import { shareApiServer } from './shared-server.ts';
import { startWebhooks } from './webhook-server.ts';

const configMaps = '/api/v1/namespaces/long/configmaps';
const ships = '/apis/long.example.com/v1/namespaces/long/ships';
const shipsOfV2 = '/apis/long.example.com/v2/namespaces/long/ships';
const yaml = { Accept: 'application/yaml' };
const merge = { 'Content-Type': 'application/merge-patch+json' };
const operations = { 'Content-Type': 'application/json-patch+json' };
const apply = { 'Content-Type': 'application/apply-patch+yaml' };

const free = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const schema = { type: 'object', properties: { spec: free } };
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
});
const definition = createDefinition('ships', 'Ship', schema, {
  group: 'long.example.com',
  versions: [version('v1', true), version('v2', false)],
});

/** So many keys, more text than is worked on at once. */
const data = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`key-${i}`, `value ${i}: #\n`]));
const items = Array.from({ length: 6000 }, (_, i) => ({ name: `item-${i}`, value: `of item ${i}` }));

function configMap(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data, ...more };
}

function ship(name: string): JsonObject {
  return { apiVersion: 'long.example.com/v1', kind: 'Ship', metadata: { name }, spec: { items } };
}

// Work on long objects goes in slices, which no answer shows.
suite('long objects', () => {
  let server: ApiServer;
  before(async () => {
    server = await shareApiServer();
    await server.namespace('long');
    await establish(server, definition);
    for (const name of ['a', 'b']) {
      assert.equal((await server.call('POST', configMaps, { body: configMap(name) })).code, 201);
      assert.equal((await server.call('POST', ships, { body: ship(name) })).code, 201);
    }
  });
  after(() => server?.[Symbol.asyncDispose]());

  for (const path of [`${configMaps}/a`, `${ships}/a`, `${shipsOfV2}/a`])
    test(`are the same as YAML, JSON and Table: ${path}`, async () => {
      const { json, text } = await server.call('GET', path);
      const indented = await server.call('GET', `${path}?pretty=1`);
      assert.deepEqual(JSON.parse(indented.text), JSON.parse(text));
      assert.match(indented.text, /^\{\n {2}"kind"/);
      const inYaml = await server.call('GET', path, { headers: yaml });
      assert.equal(inYaml.text, encodeYaml(JSON.parse(text)));
      const Accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const table = await server.call('GET', `${path}?includeObject=Object`, { headers: { Accept } });
      assert.deepEqual(table.json.rows[0]?.object, json);
    });

  for (const path of [configMaps, ships, shipsOfV2])
    test(`are the same in a list as YAML, JSON and indented JSON: ${path}`, async () => {
      const { text } = await server.call('GET', path);
      const inYaml = await server.call('GET', path, { headers: yaml });
      const indented = await server.call('GET', `${path}?pretty=1`);
      const list = JSON.parse(text);
      assert.equal(list.items.length, 2);
      // The list itself may have another version by then.
      assert.deepEqual(JSON.parse(indented.text).items, list.items);
      const read = parseYamlAtOnce(inYaml.bytes).value;
      assert.deepEqual(isJsonObject(read) && JSON.parse(JSON.stringify(read['items'])), list.items);
    });

  test('keep their resourceVersion in a write without a change', async () => {
    const { json, text } = await server.call('GET', `${configMaps}/b`);
    const writes = [
      await server.call('PUT', `${configMaps}/b`, { body: JSON.parse(text) }),
      await server.call('PATCH', `${configMaps}/b`, { headers: merge, body: { data } }),
      await server.call('PATCH', `${configMaps}/b`, { headers: operations, body: [] }),
    ];
    for (const write of writes)
      assert.deepEqual(
        [write.code, write.json.metadata.resourceVersion],
        [200, json.metadata.resourceVersion],
      );
  });

  test('can be changed by each kind of write', async () => {
    const path = `${configMaps}/b`;
    const expected: Record<string, string> = { ...data };
    const check = async (what: string) => {
      const { json } = await server.call('GET', path);
      assert.deepEqual(json.data, expected, what);
    };
    expected['key-1'] = 'put';
    await server.call('PUT', path, { body: configMap('b', { data: { ...expected } }) });
    await check('PUT');
    expected['key-2'] = 'merged';
    delete expected['key-3'];
    await server.call('PATCH', path, {
      headers: merge,
      body: { data: { 'key-2': 'merged', 'key-3': null } },
    });
    await check('merge patch');
    expected['key-4'] = 'replaced';
    const replace = [{ op: 'replace', path: '/data/key-4', value: 'replaced' }];
    await server.call('PATCH', path, { headers: operations, body: replace });
    await check('JSON patch');
    for (let i = 0; i < 9000; i++) expected[`own-${i}`] = 'applied';
    const own = Object.fromEntries(Object.entries(expected).filter(([key]) => key.startsWith('own-')));
    const body = { ...configMap('b'), data: own };
    await server.call('PATCH', `${path}?fieldManager=one`, { headers: apply, body });
    await check('apply');
    delete expected['own-8999'];
    delete own['own-8999'];
    await server.call('PATCH', `${path}?fieldManager=one`, { headers: apply, body: { ...body, data: own } });
    await check('apply of less');
  });

  test('are sent to webhooks and come back changed', async () => {
    const patch = Array.from({ length: 5000 }, (_, i) => ({
      op: 'replace',
      path: `/data/key-${i}`,
      value: 'reviewed',
    }));
    await using hooks = await startWebhooks({
      '/patch': () => ({
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
      }),
    });
    const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
    const webhook = {
      name: 'long.example.com',
      clientConfig: { url: `${hooks.url}/patch`, caBundle: hooks.caBundle },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      objectSelector: { matchLabels: { reviewed: 'yes' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    };
    const kind = 'MutatingWebhookConfiguration';
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const configuration = { apiVersion, kind, metadata: { name: 'long' }, webhooks: [webhook] };
    assert.equal((await server.call('POST', configurations, { body: configuration })).code, 201);
    const body = configMap('c', { metadata: { name: 'c', labels: { reviewed: 'yes' } } });
    const created = await server.call('POST', configMaps, { body });
    assert.equal(created.code, 201, created.text.slice(0, 300));
    const expected = { ...data, ...Object.fromEntries(patch.map((_, i) => [`key-${i}`, 'reviewed'])) };
    assert.deepEqual(created.json.data, expected);
    assert.deepEqual(objectAt(hooks.calls[0]?.request, 'object')['data'], data);
    await server.call('DELETE', `${configurations}/long`);
  });
});
