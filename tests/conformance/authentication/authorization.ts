import assert from 'node:assert/strict';
import { until } from '../../journeys/api-server.ts';
import { certifiedRequest, clusterCertificate } from '../drivers/certified-requests.ts';
import type { ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import { withPolicies } from './anonymous.ts';
import { bearer, selfReview } from './self-review.ts';

const rbac = '/apis/rbac.authorization.cluster.io/v1';

/** 2, "Authorization". */
export const authorizationTests: ConformanceTests = {
  async '2/Authorization/a groups, resources, verbs and names of a rule each count'(server) {
    const namespace = await server.namespace();
    const at = (resource: string, name = '') => `/api/v1/namespaces/${namespace}/${resource}/${name}`;
    const name = `reader-of-${namespace}`;
    await server.expect(201, 'POST', `${rbac}/namespaces/${namespace}/roles`, {
      body: {
        metadata: { name },
        rules: [
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch'], resourceNames: ['one'] },
          { apiGroups: ['apps'], resources: ['*'], verbs: ['create'] },
        ],
      },
    });
    await server.expect(201, 'POST', `${rbac}/namespaces/${namespace}/rolebindings`, {
      body: {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name },
        subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name }],
      },
    });
    const certificate = await clusterCertificate(server, name);
    const requestCode = async (method: string, path: string) =>
      (
        await certifiedRequest(server, {
          method,
          path,
          certificate,
          body: method === 'POST' ? {} : undefined,
        })
      ).code;
    await until('the role counts', async () => (await requestCode('GET', at('configmaps', 'one'))) === 404);
    assert.equal(await requestCode('GET', at('configmaps', 'two')), 403, 'another name');
    assert.equal(await requestCode('GET', at('secrets', 'one')), 403, 'another resource');
    assert.equal(await requestCode('DELETE', at('configmaps', 'one')), 403, 'another verb');
    assert.equal(
      await requestCode('GET', `/api/v1/namespaces/default/configmaps/one`),
      403,
      'another namespace',
    );
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    assert.notEqual(await requestCode('POST', deployments), 403);
    assert.equal(await requestCode('GET', deployments), 403);
    assert.equal(await requestCode('POST', at('pods')), 403, 'another group');
  },

  async '2/Authorization/b attribute-based rules, one a line of a file'(server) {
    const abac = await withPolicies(server);
    const configMaps = '/api/v1/namespaces/default/configmaps';
    await abac.expect(200, 'GET', configMaps, { user: 'alice' });
    await abac.expect(403, 'GET', '/api/v1/namespaces/cluster-system/configmaps', { user: 'alice' });
    await abac.expect(403, 'GET', configMaps, { user: 'bob' });
    await abac.expect(200, 'GET', '/metrics', { user: 'bob' });
    await abac.expect(403, 'GET', '/metrics', { user: 'alice' });
    const body = { metadata: { name: 'x' }, spec: { ports: [{ port: 80 }] } };
    await abac.expect(403, 'POST', '/api/v1/namespaces/default/services', { user: 'alice', body });
    await abac.expect(200, 'GET', '/api/v1/nodes', { user: 'admin' });
  },

  async '2/Authorization/c every authenticated user, and no other'(under) {
    const server = await withOtherSwitches(under);
    for (const user of ['alice', 'bob'])
      assert.equal((await selfReview(server, { headers: bearer(`${user}-token`) })).code, 201);
    assert.equal((await selfReview(server, {})).code, 403);
    const role = await server.expect(200, 'GET', `${rbac}/clusterroles/system:basic-user`);
    assert.match(role.text, /"selfsubjectreviews"/);
  },

  async '2/Errors/lacks permission 403 Forbidden'(server) {
    const answer = await server.expect(403, 'GET', '/api/v1/nodes', { user: 'bob' });
    assert.equal(answer.at('reason'), 'Forbidden');
  },
};
