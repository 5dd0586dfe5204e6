import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminServer, at } from './admin-server.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const contentType = 'application/merge-patch+json';
const rounds = 30;

test('an accepted finalizer keeps the object, whatever deletion is concurrent', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  const ends = { held: 0, gone: 0 };
  for (let round = 0; round < rounds; round++) {
    const path = `${maps}/a${round}`;
    await server.expect(201, 'POST', maps, { body: { metadata: { name: `a${round}` } } });
    const body = { metadata: { finalizers: ['example.com/hold'] } };
    const patch = () => server.send('PATCH', path, { body, contentType });
    const remove = () => server.send('DELETE', path);
    // Either may be sent first.
    const early = round % 2 === 0 ? patch() : undefined;
    const [deleted, patched] = await Promise.all([remove(), early ?? patch()]);
    assert.equal(deleted.code, 200);
    const { code, body: left } = await server.send('GET', path);
    if (patched.code === 200) {
      assert.equal(code, 200, 'an object went that a finalizer held');
      assert.ok(at(left, 'metadata', 'deletionTimestamp'));
      assert.deepEqual(at(left, 'metadata', 'finalizers'), ['example.com/hold']);
      ends.held++;
    } else {
      assert.deepEqual([patched.code, code], [404, 404]);
      ends.gone++;
    }
  }
  assert.equal(ends.held + ends.gone, rounds);
});

test('an accepted update precedes the deletion, and later ones fail', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (let round = 0; round < rounds; round++) {
    const path = `${maps}/a${round}`;
    const created = await server.expect(201, 'POST', maps, { body: { metadata: { name: `a${round}` } } });
    const put = { body: { ...created, data: { round: `${round}` } } };
    const [updated, deleted] = await Promise.all([
      server.send('PUT', path, put),
      server.send('DELETE', path, { body: { propagationPolicy: 'Orphan' } }),
    ]);
    assert.equal(deleted.code, 200);
    // A deletion that came first changed the version that the update names, or removed the object by now.
    assert.ok([200, 409, 404].includes(updated.code), String(updated.code));
    if (updated.code === 200) assert.deepEqual(at(deleted.body, 'data', 'round'), `${round}`);
  }
});

test('no deletion with a resourceVersion succeeds after the object changed', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (let round = 0; round < rounds; round++) {
    const path = `${maps}/a${round}`;
    const created = await server.expect(201, 'POST', maps, { body: { metadata: { name: `a${round}` } } });
    const resourceVersion = at(created, 'metadata', 'resourceVersion') ?? null;
    const body = { data: { round: `${round}` } };
    const [patched, deleted] = await Promise.all([
      server.send('PATCH', path, { body, contentType }),
      server.send('DELETE', path, { body: { preconditions: { resourceVersion } } }),
    ]);
    const outcome = `${patched.code} ${deleted.code}`;
    assert.ok(['200 409', '404 200'].includes(outcome), outcome);
  }
});

test('of many concurrent deletions one removes the object, and the others succeed or find nothing', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' } } });
  const answers = await Promise.all(Array.from({ length: 12 }, () => server.send('DELETE', `${maps}/a`)));
  const codes = answers.map(({ code }) => code).sort();
  assert.deepEqual(codes, [200, ...Array.from({ length: 11 }, () => 404)]);
});
