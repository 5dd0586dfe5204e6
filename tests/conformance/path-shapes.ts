import assert from 'node:assert/strict';
import type { ConformanceServer, ConformanceTests } from './conformance-server.ts';

const rbac = '/apis/rbac.authorization.cluster.io/v1';

/** Creates, reads, lists and deletes one object at its paths; `everywhere` lists over all namespaces. */
async function lives(
  server: ConformanceServer,
  object: { readonly collection: string; readonly everywhere?: string; readonly body: object },
): Promise<void> {
  const { collection, everywhere, body } = object;
  const created = await server.expect(201, 'POST', collection, { body });
  const name = created.at('metadata', 'name');
  const item = `${collection}/${name}`;
  const uid = created.at('metadata', 'uid');
  assert.equal((await server.expect(200, 'GET', item)).at('metadata', 'uid'), uid);
  for (const path of [collection, ...(everywhere === undefined ? [] : [everywhere])]) {
    const list = await server.expect(200, 'GET', path);
    const items = list.at('items');
    assert.ok(Array.isArray(items) && items.some(found => JSON.stringify(found).includes(`"${uid}"`)), path);
  }
  await server.expect(200, 'DELETE', item);
  await server.expect(404, 'GET', item);
}

/** 1, "Path shapes". */
export const pathShapeTests: ConformanceTests = {
  '1/Path shapes/core cluster-scoped a persistent volume is at /api/v1/persistentvolumes/{name}':
    async server => {
      const spec = {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/data' },
      };
      const body = { metadata: { name: `paths-${Date.now()}` }, spec };
      const collection = '/api/v1/persistentvolumes';
      await server.expect(201, 'POST', collection, { body });
      const item = `${collection}/${body.metadata.name}`;
      assert.equal((await server.expect(200, 'GET', item)).at('kind'), 'PersistentVolume');
      await server.expect(200, 'DELETE', item);
    },
};
void lives;
void rbac;
