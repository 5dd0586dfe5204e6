import assert from 'node:assert/strict';
import { createAll, freshCollection, listItems, readVersion, touch } from './drivers/collections.ts';
import type { ConformanceTests } from './drivers/conformance-server.ts';
import { readTextFrames, webSocketRequest } from './web-socket.ts';

const collectionTests: ConformanceTests = {
  '1/Collection response/kind it is the kind of the items with List appended': async server => {
    const namespace = await server.namespace();
    const kinds: [path: string, kind: string][] = [
      [`/api/v1/namespaces/${namespace}/pods`, 'PodList'],
      [`/api/v1/namespaces/${namespace}/endpoints`, 'EndpointsList'],
      [`/apis/networking.cluster.io/v1/namespaces/${namespace}/ingresses`, 'IngressList'],
      ['/api/v1/namespaces', 'NamespaceList'],
    ];
    for (const [path, kind] of kinds) assert.equal((await server.expect(200, 'GET', path)).at('kind'), kind);
  },
  '1/Collection response/apiVersion it is that of the group version': async server => {
    const namespace = await server.namespace();
    const core = await server.expect(200, 'GET', `/api/v1/namespaces/${namespace}/pods`);
    assert.equal(core.at('apiVersion'), 'v1');
    const named = await server.expect(200, 'GET', `/apis/apps/v1/namespaces/${namespace}/deployments`);
    assert.equal(named.at('apiVersion'), 'apps/v1');
  },
  '1/Collection response/metadata.resourceVersion it covers every write before it': async server => {
    const secrets = await freshCollection(server);
    const written = await createAll(server, secrets, ['a']);
    const list = await server.expect(200, 'GET', secrets);
    assert.ok(Number(readVersion(list)) >= Number(written));
    // A watch from there sees the next change and nothing before it.
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${readVersion(list)}`);
    const next = await createAll(server, secrets, ['b']);
    const [event] = await stream.heard(1);
    assert.equal(event?.at('metadata', 'resourceVersion'), next);
  },
  '1/Collection response/metadata.continue a token when there is more, none or an empty one at the end':
    async server => {
      const secrets = await freshCollection(server);
      await createAll(server, secrets, ['a', 'b']);
      const first = await server.expect(200, 'GET', `${secrets}?limit=1`);
      const token = first.at('metadata', 'continue');
      assert.ok(typeof token === 'string' && token !== '');
      const last = await server.expect(
        200,
        'GET',
        `${secrets}?limit=1&continue=${encodeURIComponent(token)}`,
      );
      assert.equal(last.at('metadata', 'continue') ?? '', '');
      const whole = await server.expect(200, 'GET', secrets);
      assert.equal(whole.at('metadata', 'continue') ?? '', '');
    },
  '1/Collection response/metadata.remainingItemCount how many are left, absent with a selector and in a complete list':
    async server => {
      const secrets = await freshCollection(server);
      await createAll(server, secrets, ['a', 'b', 'c', 'd'], { x: '1' });
      const first = await server.expect(200, 'GET', `${secrets}?limit=1`);
      assert.equal(first.at('metadata', 'remainingItemCount'), 3);
      const token = encodeURIComponent(String(first.at('metadata', 'continue')));
      const second = await server.expect(200, 'GET', `${secrets}?limit=2&continue=${token}`);
      assert.equal(second.at('metadata', 'remainingItemCount'), 1);
      for (const query of ['labelSelector=x%3D1&limit=1', 'fieldSelector=metadata.name!%3Dq&limit=1']) {
        const selected = await server.expect(200, 'GET', `${secrets}?${query}`);
        assert.ok(selected.at('metadata', 'continue'));
        assert.equal(selected.at('metadata', 'remainingItemCount'), undefined, query);
      }
      const whole = await server.expect(200, 'GET', secrets);
      assert.equal(whole.at('metadata', 'remainingItemCount'), undefined);
    },
  '1/Collection response/items they are whole objects of the kind, and an empty list when there are none':
    async server => {
      const secrets = await freshCollection(server);
      assert.deepEqual((await server.expect(200, 'GET', secrets)).at('items'), []);
      const created = await server.expect(201, 'POST', secrets, {
        body: { metadata: { name: 'a' }, data: { k: 'djE=' } },
      });
      const [item] = listItems(await server.expect(200, 'GET', secrets));
      const { kind: _kind, apiVersion: _version, ...object } = created.body;
      const { kind: _itemKind, apiVersion: _itemVersion, ...listed } = item ?? {};
      assert.deepEqual(listed, object);
    },
};

const eventTests: ConformanceTests = {
  '1/Watch event/a each document has a type and an object, which is as a get shows it': async server => {
    const secrets = await freshCollection(server);
    const version = readVersion(await server.expect(200, 'GET', secrets));
    await createAll(server, secrets, ['a']);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`);
    const [event] = await stream.heard(1);
    const got = await server.expect(200, 'GET', `${secrets}/a`);
    assert.deepEqual(event?.object, got.body);
  },
  '1/Watch event/a over a WebSocket each document is a frame of text': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const socket = await server.upgrade(`${secrets}?watch=1`, webSocketRequest());
    assert.ok('pipe' in socket, 'the server agrees');
    await touch(server, `${secrets}/a`, '1');
    const events = (await readTextFrames(socket, 2)).map(text => JSON.parse(text) as { type: string });
    assert.deepEqual(
      events.map(event => event.type),
      ['ADDED', 'MODIFIED'],
    );
    socket.destroy();
  },
  '1/Watch event/ADDED a create is ADDED': async server => {
    const secrets = await freshCollection(server);
    using stream = await server.watch(`${secrets}?watch=1`);
    const version = await createAll(server, secrets, ['a']);
    const [event] = await stream.heard(1);
    assert.deepEqual([event?.type, event?.at('metadata', 'resourceVersion')], ['ADDED', version]);
  },
  '1/Watch event/MODIFIED a change is MODIFIED': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`);
    const changed = await touch(server, `${secrets}/a`, '1');
    const [event] = await stream.heard(1);
    assert.deepEqual([event?.type, event?.at('metadata', 'resourceVersion')], ['MODIFIED', changed]);
  },
  '1/Watch event/BOOKMARK it carries nothing but its version': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    using stream = await server.watch(
      `${secrets}?watch=1&resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=1`,
    );
    await stream.ended;
    const bookmark = stream.events.find(event => event.type === 'BOOKMARK');
    assert.ok(bookmark);
    assert.ok(Number(bookmark.at('metadata', 'resourceVersion')) >= Number(version));
    const { kind, apiVersion, metadata, ...rest } = bookmark.object;
    assert.deepEqual([kind, apiVersion], ['Secret', 'v1']);
    const set = Object.entries(metadata ?? {}).filter(([, value]) => value !== null);
    assert.deepEqual(
      set.map(([key]) => key),
      ['resourceVersion'],
    );
    assert.deepEqual(rest, {});
  },
  '1/Watch event/b chunks of application/json': async server => {
    const secrets = await freshCollection(server);
    using stream = await server.watch(`${secrets}?watch=1`);
    assert.equal(stream.code, 200);
    const isChunked = server.protocol === 'http/1.1';
    assert.equal(stream.headers['transfer-encoding'], isChunked ? 'chunked' : undefined);
    assert.equal(stream.headers['content-type'], 'application/json');
    assert.equal(stream.headers['content-length'], undefined);
  },
};

/** 1, "Collection response" and "Watch event". */
export const responseTests: ConformanceTests = { ...collectionTests, ...eventTests };
