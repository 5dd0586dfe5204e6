import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const many = Array.from({ length: 20 }, (_, i) => i);
const count = (codes: readonly number[], code: number) => codes.filter(found => found === code).length;

test('of many creations with the same name exactly one succeeds', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const body = (i: number) => ({ metadata: { name: 'one' }, data: { i: String(i) } });
  const answers = await Promise.all(many.map(i => server.send('POST', maps, { body: body(i) })));
  const codes = answers.map(({ code }) => code);
  assert.deepEqual([count(codes, 201), count(codes, 409)], [1, many.length - 1]);
  const winner = answers.find(({ code }) => code === 201);
  assert.deepEqual(await server.expect(200, 'GET', `${maps}/one`), winner?.body);
});

test('generated names are unique', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const created = await Promise.all(
    many.map(() => server.expect(201, 'POST', maps, { body: { metadata: { generateName: 'gn-' } } })),
  );
  const names = new Set(created.map(object => String(at(object, 'metadata', 'name'))));
  assert.equal(names.size, many.length);
  for (const name of names) assert.match(name, /^gn-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('of many services with the same requested address exactly one succeeds', async () => {
  const services = `${await server.namespace()}/services`;
  const body = (i: number) => ({
    metadata: { name: `s${i}` },
    spec: { clusterIP: '10.96.0.99', ports: [{ port: 80 }] },
  });
  const answers = await Promise.all(many.map(i => server.send('POST', services, { body: body(i) })));
  const codes = answers.map(({ code }) => code);
  assert.deepEqual([count(codes, 201), count(codes, 422)], [1, many.length - 1]);
});

test('no object is created in a namespace that is being deleted', async () => {
  const namespace = await server.namespace();
  const hold = { metadata: { name: 'hold', finalizers: ['example.com/hold'] } };
  await server.expect(201, 'POST', `${namespace}/configmaps`, { body: hold });
  const creations = many.map(i =>
    server.send('POST', `${namespace}/configmaps`, { body: { metadata: { name: `c${i}` } } }),
  );
  const deleted = await server.expect(200, 'DELETE', namespace);
  const revision = (object: JsonValue) => Number(at(object, 'metadata', 'resourceVersion'));
  for (const { code, body } of await Promise.all(creations)) {
    if (code === 201) assert.ok(revision(body) < revision(deleted), 'created after the deletion');
    else assert.equal(code, 403, JSON.stringify(body));
  }
  await server.expect(403, 'POST', `${namespace}/configmaps`, { body: { metadata: { name: 'late' } } });
  const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
  await server.expect(200, 'PATCH', `${namespace}/configmaps/hold`, patch);
});
