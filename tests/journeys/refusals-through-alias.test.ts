import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import type { ApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

/** Answers that are a Status name the group as the path of their request did. */
suite('a Status through either name of a group', ofCluster, () => {
  let server: ApiServer;
  before(async () => {
    server = await shareApiServer();
    await server.namespace('refusals-through-alias');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const spec = (group: string, more: object = {}) => ({
    apiVersion: `${group}/v1`,
    kind: 'NetworkPolicy',
    metadata: { name: 'a' },
    spec: { podSelector: {}, ...more },
  });

  for (const group of ['networking.cluster.io', 'networking.k8s.io'])
    test(`names the group ${group}`, async () => {
      const path = `/apis/${group}/v1/namespaces/refusals-through-alias/networkpolicies`;
      const refused = async (code: number, ...call: Parameters<ApiServer['call']>) => {
        const answer = await server.call(...call);
        assert.equal(answer.code, code, answer.text);
        const { details, message } = answer.json;
        return { group: (details as { group?: string }).group, message };
      };
      const named = `networkpolicies.${group} "a"`;

      assert.deepEqual(await refused(404, 'GET', `${path}/a`), { group, message: `${named} not found` });
      assert.deepEqual(await refused(403, 'GET', `${path}/a`, { token: 'bobtoken' }), {
        group,
        message: `${named} is forbidden: User "bob" cannot get resource "networkpolicies" in API group "${group}" in the namespace "refusals-through-alias"`,
      });
      const invalid = await refused(422, 'POST', path, { body: spec(group, { policyTypes: ['x'] }) });
      assert.equal(invalid.group, group);
      assert.ok(invalid.message.startsWith(`NetworkPolicy.${group} "a" is invalid: `), invalid.message);
      // The client's text stays as it was.
      const quoted = await refused(422, 'POST', path, {
        body: {
          ...spec(group),
          metadata: { name: 'a', labels: { b: 'NetworkPolicy.networking.cluster.io "' } },
        },
      });
      assert.ok(quoted.message.includes('NetworkPolicy.networking.cluster.io \\"'), quoted.message);

      assert.equal((await server.call('POST', path, { body: spec(group) })).code, 201);
      assert.deepEqual(await refused(409, 'POST', path, { body: spec(group) }), {
        group,
        message: `${named} already exists`,
      });
      const stale = { ...spec(group), metadata: { name: 'a', resourceVersion: '1' } };
      const conflict = await refused(409, 'PUT', `${path}/a`, { body: stale });
      assert.equal(conflict.group, group);
      assert.ok(conflict.message.startsWith(`the operation on ${named} `), conflict.message);
      assert.equal((await refused(200, 'DELETE', `${path}/a`)).group, group);
    });
});
