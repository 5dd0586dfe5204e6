import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Answer, ApiServer } from './api-server.ts';
import { createDefinition, definitionsPath, establish } from './custom-widget.ts';
import { shareApiServer } from './shared-server.ts';

const text = { type: 'string' };
const keep = { 'x-cluster-preserve-unknown-fields': true };
const embedded = { type: 'object', 'x-cluster-embedded-type': true };
const schema = {
  type: 'object',
  properties: {
    free: { ...embedded, ...keep },
    plain: { type: 'object', ...keep },
    nested: { ...embedded, ...keep, properties: { inner: { ...embedded, ...keep } } },
    list: { type: 'array', items: { ...embedded, ...keep } },
    byDefault: { ...embedded, ...keep, default: { apiVersion: 'v1', kind: 'Pod', labels: { a: 'b' } } },
    closed: {
      ...embedded,
      properties: {
        kind: { ...text, enum: ['Pod'] },
        apiVersion: { ...text, default: 'v1' },
        metadata: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { ...text, pattern: '^p' },
            namespace: { ...text, default: 'here' },
            labels: { type: 'object', additionalProperties: { ...text, maxLength: 3 } },
          },
        },
        spec: { type: 'object', properties: { a: text } },
      },
    },
  },
};
const group = 'embedded.example.com';
const path = `/apis/${group}/v1/holders`;

let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await establish(server, createDefinition('holders', 'Holder', schema, { group, scope: 'Cluster' }));
});
after(() => server[Symbol.asyncDispose]());

let count = 0;
const holder = (fields: object, more: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Holder',
  metadata: { name: `h${count++}`, ...more },
  ...fields,
});
const create = (fields: object, more: object = {}) =>
  server.call('POST', path, { body: holder(fields, more) });

function parseBody(answer: Answer): Record<string, unknown> {
  assert.ok(answer.code < 300, answer.text);
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = JSON.parse(answer.text);
  return fields;
}

const byDefault = { apiVersion: 'v1', kind: 'Pod', labels: { a: 'b' } };
const object = (metadata: object, more: object = {}) => ({
  apiVersion: 'foo/v1',
  kind: 'Foo',
  metadata,
  ...more,
});

test('metadata of embedded objects is pruned at every level, and fields named metadata in other objects are not', async () => {
  const odd = { name: 'foo', unspecified: 'bar', creationTimestamp: null };
  const created = await create({
    free: object(odd),
    plain: object(odd),
    nested: object(odd, { inner: object(odd) }),
    list: [object(odd)],
  });
  const pruned = object({ name: 'foo' });
  assert.deepEqual(parseBody(created), {
    free: pruned,
    plain: object(odd),
    nested: { ...pruned, inner: pruned },
    list: [pruned],
    byDefault,
  });
  const warning = String(created.headers['warning']);
  for (const at of ['free', 'nested', 'nested.inner', 'list[0]'])
    assert.ok(warning.includes(`unknown field \\"${at}.metadata.unspecified\\"`), `${at}: ${warning}`);
});

test('a wrong type in apiVersion, kind or metadata is a bad request', async () => {
  for (const wrong of [
    object({ namespace: 42 }),
    object({ labels: { a: 1 } }),
    { apiVersion: 1, kind: 'Foo' },
    { apiVersion: 'v1', kind: ['Foo'] },
    object([] as object),
  ])
    for (const fields of [{ free: wrong }, { nested: object({}, { inner: wrong }) }, { list: [wrong] }]) {
      const { code, json } = await create(fields);
      assert.deepEqual([code, json.reason], [400, 'BadRequest'], JSON.stringify(fields));
    }
});

test('apiVersion, kind and metadata are validated at every level, in creations and updates', async () => {
  const wrong = { apiVersion: 'foo/v1', kind: '%', metadata: { name: '..' } };
  const fields = { free: wrong, nested: { ...wrong, inner: wrong }, list: [{ kind: 'Foo' }] };
  const causes = [
    'FieldValueInvalid free.kind',
    'FieldValueInvalid free.metadata.name',
    'FieldValueInvalid metadata.labels',
    'FieldValueInvalid nested.inner.kind',
    'FieldValueInvalid nested.inner.metadata.name',
    'FieldValueInvalid nested.kind',
    'FieldValueInvalid nested.metadata.name',
    'FieldValueRequired list[0].apiVersion',
  ];
  const readCauses = ({ json }: Answer) =>
    json.details.causes.map(({ reason, field }) => `${reason} ${field}`).sort();
  const labels = { foo: 'x y' };
  assert.deepEqual(readCauses(await create(fields, { labels })), causes);
  const created = await create({});
  const { metadata, ...rest } = JSON.parse(created.text) as { metadata: { name: string } };
  const updated = await server.call('PUT', `${path}/${metadata.name}`, {
    body: { ...rest, ...fields, metadata: { ...metadata, labels } },
  });
  assert.deepEqual(readCauses(updated), causes);
});

test('metadata of embedded objects has the defaults and the restrictions of its schema', async () => {
  const created = await create({
    closed: {
      kind: 'Pod',
      metadata: { name: 'p', annotations: { b: 'c' }, odd: 1 },
      spec: { a: 'x', b: 1 },
      c: 1,
    },
  });
  assert.deepEqual(parseBody(created)['closed'], {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'here', annotations: { b: 'c' } },
    spec: { a: 'x' },
  });
  const refused = await create({ closed: { kind: 'Node', metadata: { labels: { a: 'long' } } } });
  assert.equal(refused.code, 422);
  assert.deepEqual(refused.json.details.causes.map(({ field }) => field).sort(), [
    'closed.kind',
    'closed.metadata.labels.a',
    'closed.metadata.name',
  ]);
});

test('the schema of the root can restrict metadata.name only', async () => {
  const rooted = (metadata: object) =>
    server.call('POST', definitionsPath, {
      body: createDefinition(
        'rooteds',
        'Rooted',
        { type: 'object', properties: { metadata: { type: 'object', ...metadata } } },
        { group },
      ),
    });
  for (const metadata of [
    { properties: { labels: { type: 'object', additionalProperties: text } } },
    { required: ['name'] },
    { properties: { name: { ...text, default: 'a' } } },
    { default: {} },
  ]) {
    const { code, json } = await rooted(metadata);
    assert.equal(code, 422, JSON.stringify(metadata));
    assert.deepEqual(
      json.details.causes.map(({ reason }) => reason),
      ['FieldValueForbidden'],
    );
  }
  const { code } = await rooted({ properties: { name: { ...text, maxLength: 4 }, generateName: text } });
  assert.equal(code, 201);
});
