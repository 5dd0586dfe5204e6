import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../journeys/api-server.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { bearer } from './self-review.ts';

const rbac = '/apis/rbac.authorization.cluster.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** A server with attribute-based rules before the role-based ones. */
export function withPolicies(server: ConformanceServer): Promise<ConformanceServer> {
  policyFile ??= writePolicies();
  return server.variant({ 'authorization-mode': 'ABAC,RBAC', 'authorization-policy-file': policyFile });
}

let policyFile: string | undefined;

function writePolicies(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-policies-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const specs = [
    { user: '*', readonly: true, resource: 'services', namespace: '*' },
    { group: '*', readonly: true, resource: 'endpoints', namespace: '*' },
    { group: 'system:unauthenticated', readonly: true, resource: 'pods', namespace: 'default' },
    { user: 'alice', resource: 'configmaps', namespace: 'default' },
    { user: 'bob', nonResourcePath: '/metrics' },
  ];
  const apiVersion = 'abac.authorization.cluster.io/v1beta1';
  const file = join(folder, 'policies.jsonl');
  const lines = specs.map(spec => JSON.stringify({ apiVersion, kind: 'Policy', spec }));
  writeFileSync(file, `# who may do what\n\n${lines.join('\n')}\n`);
  return file;
}

/** 2, "Anonymous requests". */
export const anonymousTests: ConformanceTests = {
  async '2/Anonymous requests/a name and group'(server) {
    const answer = await server.expect(403, 'GET', configMaps, { user: null });
    assert.match(String(answer.at('message')), /"system:anonymous" cannot list/);
    await server.expect(200, 'GET', '/version', { user: null });
  },

  async '2/Anonymous requests/b a bad token is no anonymous request'(server) {
    for (const path of ['/version', configMaps])
      await server.expect(401, 'GET', path, { user: null, headers: bearer('unknown-token') });
  },

  async '2/Anonymous requests/c off with AlwaysAllow, unless the flag says otherwise'(server) {
    const open = await server.variant({ 'authorization-mode': 'AlwaysAllow' });
    await open.expect(401, 'GET', configMaps, { user: null });
    await open.expect(200, 'GET', configMaps, { user: 'bob' });
    const closed = await server.variant({ 'anonymous-auth': 'false' });
    await closed.expect(401, 'GET', '/version', { user: null });
    const both = await server.variant({ 'authorization-mode': 'AlwaysAllow', 'anonymous-auth': 'true' });
    await both.expect(200, 'GET', configMaps, { user: null });
  },

  async '2/Anonymous requests/d the wildcard is for those who showed who they are'(server) {
    const abac = await withPolicies(server);
    for (const resource of ['services', 'endpoints']) {
      const path = `/api/v1/namespaces/default/${resource}`;
      await abac.expect(200, 'GET', path, { user: 'bob' });
      await abac.expect(403, 'GET', path, { user: null });
    }
    await abac.expect(200, 'GET', '/api/v1/namespaces/default/pods', { user: null });
  },

  async '2/Anonymous requests/d a role must be bound to the user or the group by its name'(server) {
    const namespace = await server.namespace();
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const bindings = `${rbac}/namespaces/${namespace}/rolebindings`;
    const bind = (name: string, subject: { readonly kind: string; readonly name: string }) =>
      server.expect(201, 'POST', bindings, {
        body: {
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ apiGroup: 'rbac.authorization.cluster.io', ...subject }],
        },
      });
    await bind('star-user', { kind: 'User', name: '*' });
    await bind('star-group', { kind: 'Group', name: '*' });
    await bind('bob', { kind: 'User', name: 'bob' });
    for (const gateway of server.gateways.keys())
      await until('the bindings count', async () => {
        const { code } = await server.request('GET', collection, { user: 'bob', gateway });
        return code === 200;
      });
    await server.expect(403, 'GET', collection, { user: null });
    await bind('unauthenticated', { kind: 'Group', name: 'system:unauthenticated' });
    await until('the last binding counts', async () => {
      const { code } = await server.request('GET', collection, { user: null });
      return code === 200;
    });
  },
};
