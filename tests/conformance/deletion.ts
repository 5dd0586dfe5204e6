import assert from 'node:assert/strict';
import { assertRefused, createAll, freshCollection, listCauses, readVersion } from './drivers/collections.ts';
import type { Answer, ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';

const finalizers = ['example.com/a', 'example.com/b', 'example.com/c'];

async function held(server: ConformanceServer): Promise<{ item: string; created: Answer }> {
  const secrets = await freshCollection(server);
  const created = await server.expect(201, 'POST', secrets, {
    body: { metadata: { name: 'a', finalizers } },
  });
  return { item: `${secrets}/a`, created };
}

const keep = (server: ConformanceServer, item: string, kept: readonly string[]): Promise<Answer> =>
  server.expect(200, 'PATCH', item, {
    body: { metadata: { finalizers: kept } },
    contentType: 'application/merge-patch+json',
  });

/** 1, "Deletion of an object". */
export const deletionTests: ConformanceTests = {
  '1/Deletion of an object/Live, first delete the object stays, with the time of its deletion':
    async server => {
      const { item, created } = await held(server);
      assert.equal(created.at('metadata', 'deletionTimestamp'), undefined);
      const before = Math.floor(Date.now() / 1000) * 1000;
      const deleted = await server.expect(200, 'DELETE', item);
      assert.equal(deleted.at('kind'), 'Secret');
      const stamp = Date.parse(String(deleted.at('metadata', 'deletionTimestamp')));
      assert.ok(stamp >= before && stamp <= Date.now());
      assert.equal(deleted.at('metadata', 'deletionGracePeriodSeconds'), 0);
      assert.deepEqual((await server.expect(200, 'GET', item)).body, deleted.body);
    },
  '1/Deletion of an object/Live, first delete watchers see it MODIFIED, and a second delete changes nothing':
    async server => {
      const { item, created } = await held(server);
      const secrets = item.slice(0, item.lastIndexOf('/'));
      using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${readVersion(created)}`);
      const first = await server.expect(200, 'DELETE', item);
      const second = await server.expect(200, 'DELETE', item);
      assert.deepEqual(second.body, first.body);
      const [event] = await stream.heard(1);
      assert.equal(event?.type, 'MODIFIED');
      assert.deepEqual(event?.object, first.body);
    },
  '1/Deletion of an object/Live, first delete the name stays taken and no finalizer can be added':
    async server => {
      const { item } = await held(server);
      await server.expect(200, 'DELETE', item);
      const secrets = item.slice(0, item.lastIndexOf('/'));
      const repeated = await server.request('POST', secrets, { body: { metadata: { name: 'a' } } });
      assertRefused(repeated, 409, 'AlreadyExists');
      assert.match(String(repeated.at('message')), /object is being deleted/);
      const added = await server.request('PATCH', item, {
        body: { metadata: { finalizers: [...finalizers, 'example.com/late'] } },
        contentType: 'application/merge-patch+json',
      });
      assertRefused(added, 422, 'Invalid');
      assert.deepEqual(listCauses(added), ['metadata.finalizers FieldValueForbidden']);
    },
  '1/Deletion of an object/Terminating, finalizers remain it stays while one remains': async server => {
    const { item } = await held(server);
    const deleted = await server.expect(200, 'DELETE', item);
    const patched = await keep(server, item, finalizers.slice(1));
    assert.equal(patched.at('metadata', 'deletionTimestamp'), deleted.at('metadata', 'deletionTimestamp'));
    const got = await server.expect(200, 'GET', item);
    assert.deepEqual(got.at('metadata', 'finalizers'), finalizers.slice(1));
  },
  '1/Deletion of an object/Terminating, last finalizer it is gone, and watchers are told': async server => {
    const { item } = await held(server);
    const deleted = await server.expect(200, 'DELETE', item);
    const secrets = item.slice(0, item.lastIndexOf('/'));
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${readVersion(deleted)}`);
    const final = await keep(server, item, []);
    assert.equal(final.at('metadata', 'finalizers'), undefined);
    assertRefused(await server.request('GET', item), 404, 'NotFound');
    const [event] = await stream.heard(1);
    assert.deepEqual([event?.type, event?.at('metadata', 'name')], ['DELETED', 'a']);
    assert.ok(Number(event?.at('metadata', 'resourceVersion')) > Number(readVersion(deleted)));
  },
  '1/Deletion of an object/Terminating, last finalizer without a delete request the object stays':
    async server => {
      const { item } = await held(server);
      await keep(server, item, []);
      await server.expect(200, 'GET', item);
    },
  '1/Deletion of an object/a the last in the list may be the first to go': async server => {
    for (const order of [
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      const { item } = await held(server);
      await server.expect(200, 'DELETE', item);
      let left = [...finalizers];
      for (const index of order) {
        await server.expect(200, 'GET', item);
        left = left.filter(finalizer => finalizer !== finalizers[index]);
        await keep(server, item, left);
      }
      assertRefused(await server.request('GET', item), 404, 'NotFound');
    }
  },
  '1/Deletion of an object/b without finalizers it is gone at once': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const { body } = await server.expect(200, 'GET', `${secrets}/a`);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`);
    const deleted = await server.expect(200, 'DELETE', `${secrets}/a?gracePeriodSeconds=30`);
    assert.deepEqual([deleted.at('kind'), deleted.at('status')], ['Status', 'Success']);
    const { uid } = body['metadata'] as { uid: string }; // Every object has one.
    assert.deepEqual(deleted.at('details'), { name: 'a', kind: 'secrets', uid });
    assertRefused(await server.request('GET', `${secrets}/a`), 404, 'NotFound');
    const [event] = await stream.heard(1);
    assert.equal(event?.type, 'DELETED');
  },
};
