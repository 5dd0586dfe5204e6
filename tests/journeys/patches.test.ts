import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings } from './admin-server.ts';
import { valuesAt } from './setup/json-parts.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

interface Case {
  readonly what: string;
  readonly contentType: string;
  readonly body: JsonValue;
  readonly code: number;
  /** The data after a success, else the findings of the Status. */
  readonly expect: JsonValue;
}

const cases: readonly Case[] = [
  {
    what: 'a merge patch sets and deletes',
    contentType: mergePatch,
    body: { data: { b: '2', a: null } },
    code: 200,
    expect: { b: '2' },
  },
  {
    what: 'an empty merge patch changes nothing',
    contentType: mergePatch,
    body: {},
    code: 200,
    expect: { a: '1' },
  },
  {
    what: 'a media type with a parameter',
    contentType: `${mergePatch}; charset=utf-8`,
    body: { data: { b: '2' } },
    code: 200,
    expect: { a: '1', b: '2' },
  },
  {
    what: 'a strategic merge patch merges maps',
    contentType: strategicPatch,
    body: { data: { b: '2' } },
    code: 200,
    expect: { a: '1', b: '2' },
  },
  {
    what: 'a JSON patch',
    contentType: jsonPatch,
    body: [
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'remove', path: '/data/a' },
    ],
    code: 200,
    expect: { b: '2' },
  },
  {
    what: 'a JSON patch of the whole document',
    contentType: jsonPatch,
    body: [{ op: 'replace', path: '', value: { metadata: { name: 'a' }, data: { z: '1' } } }],
    code: 200,
    expect: { z: '1' },
  },
  {
    what: 'a test that holds',
    contentType: jsonPatch,
    body: [{ op: 'test', path: '/data/a', value: '1' }],
    code: 200,
    expect: { a: '1' },
  },
  {
    what: 'a test that fails',
    contentType: jsonPatch,
    body: [{ op: 'test', path: '/data/a', value: '2' }],
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: 'a test that nothing is there, and the member that it guards',
    contentType: jsonPatch,
    body: [
      { op: 'test', path: '/metadata/annotations', value: null },
      { op: 'test', path: '/data/b', value: null },
      { op: 'add', path: '/data/b', value: '2' },
    ],
    code: 200,
    expect: { a: '1', b: '2' },
  },
  {
    what: 'a test that nothing is there where something is',
    contentType: jsonPatch,
    body: [{ op: 'test', path: '/data/a', value: null }],
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: 'a test below what is not there',
    contentType: jsonPatch,
    body: [{ op: 'test', path: '/metadata/annotations/a', value: null }],
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: 'positions from the end, and with leading zeros',
    contentType: jsonPatch,
    body: [
      { op: 'add', path: '/metadata/finalizers', value: ['example.com/a', 'example.com/b'] },
      { op: 'test', path: '/metadata/finalizers/-1', value: 'example.com/b' },
      { op: 'add', path: '/metadata/finalizers/-1', value: 'example.com/c' },
      { op: 'test', path: '/metadata/finalizers/2', value: 'example.com/c' },
      { op: 'remove', path: '/metadata/finalizers/00' },
      { op: 'test', path: '/metadata/finalizers', value: ['example.com/b', 'example.com/c'] },
      { op: 'remove', path: '/metadata/finalizers' },
    ],
    code: 200,
    expect: { a: '1' },
  },
  {
    what: '$retainKeys that is no list',
    contentType: strategicPatch,
    body: { data: { $retainKeys: 'a', a: '2' } },
    code: 400,
    expect: ['BadRequest'],
  },
  {
    what: '$retainKeys without a key that the patch sets',
    contentType: strategicPatch,
    body: { data: { $retainKeys: ['b'], a: '2' } },
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: '$retainKeys without a key that the patch sets, in a part that is new',
    contentType: strategicPatch,
    body: { binaryData: { $retainKeys: ['b'], a: 'MQ==' } },
    code: 422,
    expect: ['Invalid', 'FieldValueInvalid patch'],
  },
  {
    what: 'a path that is missing',
    contentType: jsonPatch,
    body: [{ op: 'remove', path: '/data/z' }],
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: 'an unknown operation',
    contentType: jsonPatch,
    body: [{ op: 'twist', path: '/data' }],
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: 'all or nothing',
    contentType: jsonPatch,
    body: [
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'remove', path: '/x' },
    ],
    code: 422,
    expect: ['Invalid'],
  },
  {
    what: 'a JSON patch that is no list',
    contentType: jsonPatch,
    body: { op: 'add' },
    code: 400,
    expect: ['BadRequest'],
  },
  {
    what: 'a merge patch that is a list',
    contentType: mergePatch,
    body: [],
    code: 400,
    expect: ['BadRequest'],
  },
  { what: 'malformed JSON', contentType: mergePatch, body: '{', code: 400, expect: ['BadRequest'] },
  {
    what: 'a patch that nests without end',
    contentType: mergePatch,
    body: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    code: 400,
    expect: ['BadRequest'],
  },
  {
    what: 'another name',
    contentType: mergePatch,
    body: { metadata: { name: 'b' } },
    code: 400,
    expect: ['BadRequest'],
  },
  {
    what: 'no name',
    contentType: mergePatch,
    body: { metadata: { name: null } },
    code: 400,
    expect: ['BadRequest'],
  },
  {
    what: 'another namespace',
    contentType: jsonPatch,
    body: [{ op: 'replace', path: '/metadata/namespace', value: 'b' }],
    code: 400,
    expect: ['BadRequest'],
  },
  {
    what: 'another kind',
    contentType: mergePatch,
    body: { kind: 'Secret' },
    code: 422,
    expect: ['Invalid', 'FieldValueInvalid patch'],
  },
  {
    what: 'a wrong type',
    contentType: mergePatch,
    body: { data: { a: 1 } },
    code: 422,
    expect: ['Invalid', 'FieldValueInvalid patch'],
  },
  {
    what: 'a result that is not valid',
    contentType: mergePatch,
    body: { data: { 'a b': '1' } },
    code: 422,
    expect: ['Invalid', 'FieldValueInvalid data[a b]'],
  },
  {
    what: 'a stale version',
    contentType: mergePatch,
    body: { metadata: { resourceVersion: '1' } },
    code: 409,
    expect: ['Conflict'],
  },
  {
    what: 'plain JSON',
    contentType: 'application/json',
    body: {},
    code: 415,
    expect: ['UnsupportedMediaType'],
  },
  { what: 'no media type', contentType: '', body: {}, code: 415, expect: ['UnsupportedMediaType'] },
];

test('patches are applied, or refused with the reason and without a change', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (const { what, contentType, body, code, expect } of cases) {
    const original = await server.expect(201, 'POST', maps, {
      body: { metadata: { name: 'a' }, data: { a: '1' } },
    });
    const answer = await server.send('PATCH', `${maps}/a`, { body, contentType });
    assert.equal(answer.code, code, `${what}: ${JSON.stringify(answer.body)}`);
    assert.deepEqual(code === 200 ? answer.body['data'] : findings(answer.body), expect, what);
    if (code !== 200) assert.deepEqual(await server.expect(200, 'GET', `${maps}/a`), original, what);
    await server.expect(200, 'DELETE', `${maps}/a`);
  }
});

test('an unsupported patch type is refused with the supported ones', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const sent = { body: '{}', contentType: 'application/apply-patch+xml' };
  const status = await server.expect(415, 'PATCH', `${maps}/a?fieldManager=me`, sent);
  for (const type of [jsonPatch, mergePatch, strategicPatch, 'application/apply-patch+yaml'])
    assert.ok(String(status['message']).includes(type));
});

test('a patch of a missing object is answered with 404', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (const contentType of [mergePatch, strategicPatch])
    await server.expect(404, 'PATCH', `${maps}/none`, { body: {}, contentType });
});

test('force is accepted for apply patches only', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const status = await server.expect(422, 'PATCH', `${maps}/a?force=true`, {
    body: {},
    contentType: mergePatch,
  });
  assert.deepEqual(findings(status), ['Invalid', 'FieldValueForbidden force']);
});

test('a patch applies to the result of the write before it', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' }, data: { n: '0' } } });
  for (let i = 1; i <= 50; i++) {
    await server.expect(200, 'PUT', `${maps}/a`, {
      body: { metadata: { name: 'a' }, data: { n: String(i) } },
    });
    const steps = [
      { op: 'test', path: '/data/n', value: String(i) },
      { op: 'add', path: '/data/seen', value: String(i) },
    ];
    const { data } = await server.expect(200, 'PATCH', `${maps}/a`, { body: steps, contentType: jsonPatch });
    assert.deepEqual(data, { n: String(i), seen: String(i) });
  }
});

test('lists of a service merge by the key of their elements', async () => {
  const services = `${await server.namespace()}/services`;
  const ports = [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ];
  await server.expect(201, 'POST', services, { body: { metadata: { name: 's' }, spec: { ports } } });
  const changed = {
    spec: {
      ports: [
        { port: 80, name: 'a2' },
        { port: 81, $patch: 'delete' },
        { port: 90, name: 'c' },
      ],
    },
  };
  const merged = await server.expect(200, 'PATCH', `${services}/s`, {
    body: changed,
    contentType: strategicPatch,
  });
  const found = valuesAt(merged, 'spec', 'ports');
  assert.deepEqual(found.map(port => [at(port, 'port'), at(port, 'name')]).sort(), [
    [80, 'a2'],
    [90, 'c'],
  ]);
});
