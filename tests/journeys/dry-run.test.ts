import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type ApiServer, until, type WatchStream } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
let count = 0;

before(async () => {
  server = await shareApiServer();
});
after(() => server?.[Symbol.asyncDispose]());

/** One write, which is tried before it is done. */
interface Write {
  readonly what: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the namespace. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly code: number;
}

const json = 'application/json';
const [merge, operations, strategic, apply] = [
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const named = (name: string, more = {}) => ({ metadata: { name }, ...more });
const service = (name: string, spec: object) => named(name, { spec: { ports: [{ port: 80 }], ...spec } });
const applied = { apiVersion: 'v1', kind: 'ConfigMap', ...named('applied', { data: { a: '1' } }) };

/** Each of these finds what the ones before left. */
const writes: readonly Write[] = [
  {
    what: 'a creation',
    method: 'POST',
    path: '/configmaps',
    body: named('a', { data: { k: '1' } }),
    code: 201,
  },
  { what: 'a name that is taken', method: 'POST', path: '/configmaps', body: named('a'), code: 409 },
  { what: 'an invalid object', method: 'POST', path: '/configmaps', body: named('A'), code: 422 },
  { what: 'a body that cannot be read', method: 'POST', path: '/configmaps', body: '{', code: 400 },
  {
    what: 'an update',
    method: 'PUT',
    path: '/configmaps/a',
    body: named('a', { data: { k: '2' } }),
    code: 200,
  },
  {
    what: 'an update of another version',
    ...{ method: 'PUT', path: '/configmaps/a', code: 409 },
    body: { metadata: { name: 'a', resourceVersion: '1' } },
  },
  { what: 'an update of nothing', method: 'PUT', path: '/configmaps/none', body: named('none'), code: 404 },
  {
    what: 'an update that creates',
    ...{ method: 'PUT', path: '/endpoints/e', code: 201 },
    body: named('e', { subsets: [{ addresses: [{ ip: '10.1.2.3' }] }] }),
  },
  {
    what: 'a merge patch',
    ...{ method: 'PATCH', path: '/configmaps/a', contentType: merge, code: 200 },
    body: { data: { m: '1' } },
  },
  {
    what: 'a JSON patch',
    ...{ method: 'PATCH', path: '/configmaps/a', contentType: operations, code: 200 },
    body: [{ op: 'add', path: '/data/j', value: '1' }],
  },
  {
    what: 'a strategic merge patch',
    ...{ method: 'PATCH', path: '/configmaps/a', contentType: strategic, code: 200 },
    body: { metadata: { finalizers: ['example.com/hold'] } },
  },
  {
    what: 'an apply that creates',
    ...{ method: 'PATCH', path: '/configmaps/applied?fieldManager=m', contentType: apply, code: 201 },
    body: applied,
  },
  {
    what: 'a service with an address and a port of its own',
    ...{ method: 'POST', path: '/services', code: 201 },
    body: service('s', {
      type: 'NodePort',
      clusterIP: '10.96.0.91',
      ports: [{ port: 80, nodePort: 30_091 }],
    }),
  },
  {
    what: 'an address that is taken',
    ...{ method: 'POST', path: '/services', code: 422 },
    body: service('t', { clusterIP: '10.96.0.91' }),
  },
  {
    what: 'a status',
    ...{ method: 'PATCH', path: '/services/s/status', contentType: merge, code: 200 },
    body: { metadata: { labels: { seen: 'yes' } } },
  },
  { what: 'a deletion that waits', method: 'DELETE', path: '/configmaps/a', code: 200 },
  {
    what: 'the end of what it waits for',
    ...{ method: 'PATCH', path: '/configmaps/a', contentType: merge, code: 200 },
    body: { metadata: { finalizers: null } },
  },
  { what: 'a deletion', method: 'DELETE', path: '/services/s', code: 200 },
  { what: 'a deletion of nothing', method: 'DELETE', path: '/services/s', code: 404 },
  { what: 'a deletion of all', method: 'DELETE', path: '/configmaps', code: 200 },
];

async function fresh(): Promise<string> {
  const name = `dry${count++}`;
  await server.namespace(name);
  return `/api/v1/namespaces/${name}`;
}

function send(
  { method, path, body, contentType = json }: Write,
  root: string,
  dryRun: boolean,
): Promise<Answer> {
  const url = `${root}${path}${dryRun ? `${path.includes('?') ? '&' : '?'}dryRun=All` : ''}`;
  const headers = { 'Content-Type': contentType };
  return server.call(method, url, body === undefined ? {} : { body, headers });
}

/** Fields that may differ between two times. */
const volatile = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'time']);

/** An answer without that. */
function lasting({ code, text }: Answer): unknown {
  const strip = (key: string, value: unknown) => (volatile.has(key) ? undefined : value);
  return { code, body: JSON.parse(text, strip) as unknown };
}

async function watched(root: string): Promise<WatchStream[]> {
  const types = ['configmaps', 'services', 'endpoints'];
  return Promise.all(
    types.map(async type => {
      const { json: list } = await server.call('GET', `${root}/${type}`);
      return server.watch(`${root}/${type}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
    }),
  );
}

test('a dry run is answered like the write, and no watch sees it', async () => {
  const root = await fresh();
  const streams = await watched(root);
  let heard = 0;
  try {
    for (const write of writes) {
      const dry = await send(write, root, true);
      assert.equal(dry.code, write.code, `${write.what}: ${dry.text}`);
      const real = await send(write, root, false);
      assert.deepEqual(lasting(dry), lasting(real), write.what);
      // The collection has one object left when it is deleted.
      if (write.code < 300) heard++;
    }
    const events = () => streams.reduce((sum, stream) => sum + stream.events.length, 0);
    await until(`${heard} events`, () => events() >= heard);
    // An event of a dry run would have been heard before that of the write after it.
    assert.equal(events(), heard);
  } finally {
    for (const stream of streams) stream[Symbol.dispose]();
  }
});

test('a dry run reserves nothing, and is refused if reserved values are in use', async () => {
  const root = await fresh();
  const body = service('a', { clusterIP: '10.96.0.92' });
  const post = (path: string, sent: unknown) =>
    server.call('POST', `${root}/services${path}`, { body: sent });
  for (let i = 0; i < 2; i++) assert.equal((await post('?dryRun=All', body)).code, 201);
  assert.equal((await post('', body)).code, 201);
  const other = service('b', { clusterIP: '10.96.0.92' });
  assert.equal((await post('?dryRun=All', other)).code, 422);
  assert.equal((await server.call('DELETE', `${root}/services/a?dryRun=All`)).code, 200);
  assert.equal((await post('', other)).code, 422);
  assert.equal((await server.call('DELETE', `${root}/services/a`)).code, 200);
  assert.equal((await post('', other)).code, 201);
});

test('a dry run returns a new object without a resourceVersion', async () => {
  const root = await fresh();
  const body = { metadata: { generateName: 'x-', uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z' } };
  const { json: object, code } = await server.call('POST', `${root}/configmaps?dryRun=All&dryRun=All`, {
    body,
  });
  assert.equal(code, 201);
  const { name, uid, creationTimestamp, resourceVersion } = {
    uid: '',
    creationTimestamp: '',
    ...object.metadata,
  };
  assert.match(name, /^x-[b-z2-9]{5}$/);
  assert.match(uid, /^[0-9a-f-]{36}$/);
  assert.ok(Date.parse(creationTimestamp) > Date.parse('2001-01-01T00:00:00Z'));
  assert.equal(resourceVersion, undefined);
});

test('a dry run is reviewed by admission and authorization like a write', async () => {
  const root = await fresh();
  const path = `${root}/configmaps`;
  const call = { body: named('a'), token: 'alicetoken' };
  assert.equal((await server.call('POST', `${path}?dryRun=All`, call)).code, 403);
  assert.equal((await server.call('DELETE', `${path}?dryRun=All`, { token: 'alicetoken' })).code, 403);
});
