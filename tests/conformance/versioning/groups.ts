import assert from 'node:assert/strict';
import { assertRefused } from '../drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import { servedResources, servedVersions } from './discovery.ts';

/** Whether a version of a group is in discovery and answers. */
async function isServed(server: ConformanceServer, groupVersion: string): Promise<boolean> {
  const listed = (await servedVersions(server)).some(served => served.groupVersion === groupVersion);
  const { code } = await server.request('GET', `/apis/${groupVersion}`);
  assert.equal(code, listed ? 200 : 404, groupVersion);
  return listed;
}

/** 1, "Groups". */
export const groupTests: ConformanceTests = {
  async '1/Groups/core its resources are at /api/v1 and are of apiVersion v1'(server) {
    assert.deepEqual((await server.expect(200, 'GET', '/api')).at('versions'), ['v1']);
    const core = (await servedVersions(server)).filter(({ group }) => group === '');
    const resources = await servedResources(server, core);
    assert.ok(resources.some(({ name }) => name === 'configmaps'));
    for (const { name, verbs } of resources) {
      if (name.includes('/') || !verbs.includes('list')) continue;
      const list = await server.expect(200, 'GET', `/api/v1/${name}?limit=1`);
      assert.equal(list.at('apiVersion'), 'v1', name);
    }
    await server.expect(404, 'GET', '/apis/v1');
    const body = { apiVersion: 'core/v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const maps = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
    assertRefused(await server.request('POST', maps, { body }), 400, 'BadRequest');
  },

  async '1/Groups/named their resources are at /apis and are of the apiVersion of their path'(server) {
    const named = (await servedVersions(server)).filter(({ group }) => group !== '');
    assert.ok(named.length >= 15);
    for (const { name, kind, path, groupVersion, verbs } of await servedResources(server, named)) {
      if (name.includes('/') || !verbs.includes('list')) continue;
      const list = await server.expect(200, 'GET', `${path}/${name}?limit=1`);
      assert.equal(list.at('apiVersion'), groupVersion, name);
      assert.equal(list.at('kind'), `${kind}List`);
      await server.expect(404, 'GET', `/api/${groupVersion}/${name}`);
    }
  },

  async '1/Groups/--runtime-config pairs every pair has its effect'(server) {
    const other = await withOtherSwitches(server);
    for (const groupVersion of ['batch/v1', 'autoscaling/v1'])
      assert.equal(await isServed(other, groupVersion), false, groupVersion);
    for (const groupVersion of ['networking.cluster.io/v1alpha1', 'authentication.cluster.io/v1alpha1'])
      assert.equal(await isServed(other, groupVersion), true, groupVersion);
  },

  async '1/Groups/--runtime-config value without one it is true'(server) {
    const other = await withOtherSwitches(server);
    assert.equal(await isServed(server, 'networking.cluster.io/v1alpha1'), false);
    assert.equal(await isServed(other, 'networking.cluster.io/v1alpha1'), true);
  },

  async '1/Groups/--runtime-config disable the version is gone, other versions stay'(server) {
    const other = await withOtherSwitches(server);
    for (const served of [server, other]) assert.equal(await isServed(served, 'autoscaling/v2'), true);
    assert.equal(await isServed(server, 'autoscaling/v1'), true);
    assert.equal(await isServed(other, 'autoscaling/v1'), false);
    const gone = await other.request('GET', '/apis/autoscaling/v1/horizontalpodautoscalers');
    assertRefused(gone, 404, 'NotFound');
  },

  async '1/Groups/--runtime-config enable the version is there'(server) {
    const other = await withOtherSwitches(server);
    assert.equal(await isServed(server, 'authentication.cluster.io/v1alpha1'), false);
    assert.equal(await isServed(other, 'authentication.cluster.io/v1alpha1'), true);
    const review = await other.expect(
      201,
      'POST',
      '/apis/authentication.cluster.io/v1alpha1/selfsubjectreviews',
      { body: {} },
    );
    assert.equal(review.at('status', 'userInfo', 'username'), 'admin');
  },

  async '1/Groups/--runtime-config resource of a version that is off one resource is on'(server) {
    const other = await withOtherSwitches(server);
    const apps = (await servedVersions(other)).filter(({ groupVersion }) => groupVersion === 'apps/v1');
    const resources = await servedResources(other, apps);
    assert.deepEqual(
      resources.map(({ name }) => name),
      ['deployments', 'deployments/scale', 'deployments/status'],
    );
    await other.expect(200, 'GET', '/apis/apps/v1/deployments');
    assertRefused(await other.request('GET', '/apis/apps/v1/daemonsets'), 404, 'NotFound');
    await server.expect(200, 'GET', '/apis/apps/v1/daemonsets');
  },
};
