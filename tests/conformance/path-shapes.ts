import assert from 'node:assert/strict';
import { assertRefused, listItems } from './drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';

const rbac = '/apis/rbac.authorization.cluster.io/v1';

/** Creates, reads, lists, updates and deletes an object at the paths of its kind. */
async function live(server: ConformanceServer, paths: { collection: string; all?: string }, spec: object) {
  const { collection, all = collection } = paths;
  const body = { metadata: { generateName: 'shape-' }, ...spec };
  const created = await server.expect(201, 'POST', collection, { body });
  const item = `${collection}/${created.at('metadata', 'name')}`;
  const uid = created.at('metadata', 'uid');
  const got = await server.expect(200, 'GET', item);
  assert.equal(got.at('metadata', 'uid'), uid);
  for (const path of [collection, all]) {
    const items = listItems(await server.expect(200, 'GET', path));
    assert.ok(JSON.stringify(items).includes(`"${uid}"`), path);
  }
  const updated = await server.expect(200, 'PUT', item, { body: got.body });
  assert.equal(updated.at('metadata', 'uid'), uid);
  await server.expect(200, 'DELETE', item);
  assertRefused(await server.request('GET', item), 404, 'NotFound');
}

const volume = {
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'd.example.com', volumeHandle: 'v' },
  },
};

/** 1, "Path shapes". */
export const pathShapeTests: ConformanceTests = {
  '1/Path shapes/core cluster-scoped nodes live at /api/v1/nodes': server =>
    live(server, { collection: '/api/v1/nodes' }, {}),
  '1/Path shapes/core cluster-scoped the path of a namespaced shape is none': async server => {
    const path = `/api/v1/namespaces/${await server.namespace()}/persistentvolumes`;
    assertRefused(await server.request('POST', path, { body: volume }), 404, 'NotFound');
  },
  '1/Path shapes/core namespaced secrets live below their namespace and are listed over all':
    async server => {
      const collection = `/api/v1/namespaces/${await server.namespace()}/secrets`;
      await live(server, { collection, all: '/api/v1/secrets' }, {});
    },
  '1/Path shapes/core namespaced the collection over all namespaces has no items of its own':
    async server => {
      const refused = await server.request('POST', '/api/v1/secrets', { body: { metadata: { name: 'a' } } });
      assertRefused(refused, 405, 'MethodNotAllowed');
    },
  '1/Path shapes/group cluster-scoped cluster roles live at /apis/{group}/{version}/clusterroles': server =>
    live(server, { collection: `${rbac}/clusterroles` }, { rules: [] }),
  '1/Path shapes/group namespaced roles live below their namespace and are listed over all': async server => {
    const collection = `${rbac}/namespaces/${await server.namespace()}/roles`;
    await live(server, { collection, all: `${rbac}/roles` }, { rules: [] });
  },
  '1/Path shapes/subresource a status is below its object, namespaced and cluster-scoped': async server => {
    const namespace = await server.namespace();
    const services = `/api/v1/namespaces/${namespace}/services`;
    await server.expect(201, 'POST', services, {
      body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
    });
    assert.equal((await server.expect(200, 'GET', `${services}/s/status`)).at('metadata', 'name'), 's');
    const status = await server.expect(200, 'GET', `/api/v1/namespaces/${namespace}/status`);
    assert.equal(status.at('kind'), 'Namespace');
    const group = await server.request('GET', `${services}/s/nothing`);
    assertRefused(group, 404, 'NotFound');
  },
  '1/Path shapes/namespaces a namespace is at /api/v1/namespaces/{name}': async server => {
    const name = await server.namespace();
    const got = await server.expect(200, 'GET', `/api/v1/namespaces/${name}`);
    assert.equal(got.at('metadata', 'name'), name);
    assert.equal(got.at('metadata', 'namespace'), undefined);
    const list = await server.expect(200, 'GET', '/api/v1/namespaces');
    assert.equal(list.at('kind'), 'NamespaceList');
  },
  '1/Path shapes/one resource there is no subresource of a collection': async server => {
    const services = `/api/v1/namespaces/${await server.namespace()}/services`;
    // Below a collection are names: no object is named "status".
    assertRefused(await server.request('GET', `${services}/status`), 404, 'NotFound');
    const written = await server.request('PATCH', `${services}/*/status`, {
      body: { metadata: { labels: { a: 'b' } } },
      contentType: 'application/merge-patch+json',
    });
    assertRefused(written, 404, 'NotFound');
  },
  '1/Path shapes/apiVersion objects and collections name the version of their group': async server => {
    const namespace = await server.namespace();
    const kinds: [path: string, apiVersion: string][] = [
      [`/api/v1/namespaces/${namespace}/secrets`, 'v1'],
      [`${rbac}/namespaces/${namespace}/roles`, 'rbac.authorization.cluster.io/v1'],
    ];
    for (const [path, apiVersion] of kinds) {
      const created = await server.expect(201, 'POST', path, { body: { metadata: { name: 'a' } } });
      assert.equal(created.at('apiVersion'), apiVersion);
      assert.equal((await server.expect(200, 'GET', path)).at('apiVersion'), apiVersion);
      const other = { apiVersion: 'other/v1', metadata: { name: 'b' } };
      assertRefused(await server.request('POST', path, { body: other }), 400, 'BadRequest');
    }
  },
};
