import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const mergePatch = 'application/merge-patch+json';
const ports = [{ port: 80 }];
const service = (name: string, finalizers: string[] = []): JsonObject => ({
  metadata: { name, finalizers },
  spec: { ports },
});
const endpoints = (name: string, finalizers: string[] = []): JsonObject => ({
  metadata: { name, finalizers },
  subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports }],
});
const free = { body: { metadata: { finalizers: null } }, contentType: mergePatch };

async function makeBoth(namespace: string, name: string, finalizers: string[] = []): Promise<void> {
  await server.expect(201, 'POST', `${namespace}/services`, { body: service(name, finalizers) });
  await server.expect(201, 'POST', `${namespace}/endpoints`, { body: endpoints(name) });
}

test('the deletion of a service deletes the endpoints of its name, and no others', async () => {
  const namespace = await server.namespace();
  await makeBoth(namespace, 'a');
  await server.expect(201, 'POST', `${namespace}/endpoints`, { body: endpoints('b') });
  const before = await server.expect(200, 'GET', `${namespace}/endpoints`);
  const version = String(at(before, 'metadata', 'resourceVersion'));
  assert.equal((await server.expect(200, 'DELETE', `${namespace}/services/a`))['kind'], 'Service');
  await server.expect(404, 'GET', `${namespace}/endpoints/a`);
  await server.expect(200, 'GET', `${namespace}/endpoints/b`);
  const query = `?watch=1&timeoutSeconds=1&resourceVersion=${version}`;
  const { body } = await server.send('GET', `${namespace}/endpoints${query}`);
  assert.deepEqual([body['type'], at(body, 'object', 'metadata', 'name')], ['DELETED', 'a']);
});

test('a service without endpoints is deleted alone', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/services`, { body: service('a') });
  await server.expect(200, 'DELETE', `${namespace}/services/a`);
  await server.expect(404, 'GET', `${namespace}/services/a`);
  assert.deepEqual((await server.expect(200, 'GET', `${namespace}/endpoints`))['items'], []);
});

test('the endpoints are kept while a finalizer keeps the service, and deleted with it', async () => {
  const namespace = await server.namespace();
  await makeBoth(namespace, 'a', ['example.com/hold']);
  await server.expect(200, 'DELETE', `${namespace}/services/a`);
  await server.expect(200, 'GET', `${namespace}/endpoints/a`);
  await server.expect(200, 'PATCH', `${namespace}/services/a`, free);
  await server.expect(404, 'GET', `${namespace}/services/a`);
  await server.expect(404, 'GET', `${namespace}/endpoints/a`);
});

test('endpoints with a finalizer are marked with the service, and removed with their finalizer', async () => {
  const namespace = await server.namespace();
  await server.expect(201, 'POST', `${namespace}/services`, { body: service('a') });
  await server.expect(201, 'POST', `${namespace}/endpoints`, { body: endpoints('a', ['example.com/hold']) });
  await server.expect(200, 'DELETE', `${namespace}/services/a`);
  const held = await server.expect(200, 'GET', `${namespace}/endpoints/a`);
  assert.ok(at(held, 'metadata', 'deletionTimestamp'));
  await server.expect(200, 'PATCH', `${namespace}/endpoints/a`, free);
  await server.expect(404, 'GET', `${namespace}/endpoints/a`);
});

test('a dry run deletes neither, and a deletion of the collection both', async () => {
  const namespace = await server.namespace();
  await makeBoth(namespace, 'a');
  await server.expect(200, 'DELETE', `${namespace}/services/a?dryRun=All`);
  await server.expect(200, 'GET', `${namespace}/endpoints/a`);
  await server.expect(200, 'DELETE', `${namespace}/services`);
  await server.expect(404, 'GET', `${namespace}/endpoints/a`);
});

test('a deletion with concurrent writes of the endpoints leaves no endpoints that the deletion saw', async () => {
  const namespace = await server.namespace();
  for (let round = 0; round < 20; round++) {
    await makeBoth(namespace, 'a');
    const patch = { body: { metadata: { labels: { round: `${round}` } } }, contentType: mergePatch };
    const [deleted, patched] = await Promise.all([
      server.send('DELETE', `${namespace}/services/a`),
      server.send('PATCH', `${namespace}/endpoints/a`, patch),
    ]);
    assert.equal(deleted.code, 200);
    assert.ok([200, 404].includes(patched.code), String(patched.code));
    await server.expect(404, 'GET', `${namespace}/endpoints/a`);
  }
});
