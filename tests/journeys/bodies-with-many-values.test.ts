import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('bodies-with-many-values');
});
after(() => server?.[Symbol.asyncDispose]());

const maps = '/api/v1/namespaces/bodies-with-many-values/configmaps';
const tooMany = /more than \d+000 values/;

function members(count: number, of: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => of(i)).join();
}

test('YAML collections as keys are refused by name', async () => {
  for (const body of [`${'? '.repeat(500)}a`, `${'{? ['.repeat(250)}${']: a}'.repeat(250)}`]) {
    const { code, json } = await server.call('POST', maps, {
      body,
      headers: { 'Content-Type': 'application/yaml' },
    });
    assert.equal(code, 400);
    assert.match(json.message, /only scalars can be keys/);
  }
});

for (const [what, body] of [
  ['members', `{"metadata":{"name":"a"},"data":{${members(200_000, i => `"k${i}":""`)}}}`],
  ['labels', `{"metadata":{"name":"a","labels":{${members(100_001, i => `"k${i}":""`)}}}}`],
  ['finalizers', `{"metadata":{"name":"a","finalizers":[${members(1_000_000, () => '""')}]}}`],
  [
    'members that are too many for an object',
    `{"metadata":{"name":"a"},"data":{${members(60_000, i => `"k${i}":""`)}}}`,
  ],
] as const)
  test(`a body with many ${what} is refused as too large`, async () => {
    const { code, json } = await server.call('POST', maps, { body });
    assert.equal(code, 413);
    assert.equal(json.reason, 'RequestEntityTooLarge');
    assert.match(json.message, tooMany);
  });

test('a patch cannot give an object more values than a body may have, at once or in steps', async () => {
  const target = `${maps}/grows`;
  await server.call('POST', maps, { body: { metadata: { name: 'grows' } } });
  const grow = (from: number, mediaType: string) =>
    server.call('PATCH', `${target}${mediaType.includes('apply') ? '?fieldManager=m' : ''}`, {
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"grows"},"data":{${members(20_000, i => `"k${from + i}":""`)}}}`,
      headers: { 'Content-Type': mediaType },
    });
  assert.equal((await grow(0, 'application/merge-patch+json')).code, 200);
  for (const mediaType of [
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
  ]) {
    const { code, json } = await grow(20_000, mediaType);
    assert.equal(code, 413, mediaType);
    assert.match(json.message, /the object that the patch results in has more than 25000 values/);
  }
});

test('an object with many values can be read and sent back with its managed fields', async () => {
  const created = await server.call('POST', maps, {
    body: `{"metadata":{"name":"large"},"data":{${members(24_000, i => `"k${i}":""`)}}}`,
  });
  assert.equal(created.code, 201);
  const { text } = await server.call('GET', `${maps}/large`);
  assert.match(text, /"f:k23999"/);
  assert.equal((await server.call('PUT', `${maps}/large`, { body: text })).code, 200);
});
