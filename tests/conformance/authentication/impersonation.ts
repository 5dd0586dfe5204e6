import assert from 'node:assert/strict';
import { until } from '../../journeys/api-server.ts';
import { certifiedRequest, clusterCertificate } from '../drivers/certified-requests.ts';
import type { Answer, ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import { bearer, whoIs } from './self-review.ts';

const rbac = '/apis/rbac.authorization.cluster.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
let callers = 0;

interface Rule {
  readonly group?: string;
  readonly resource: string;
  readonly names?: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

/** A user who tries to act as another user. */
interface Caller {
  readonly name: string;
  list(headers: Headers): Promise<Answer>;
  /** Gives the right to impersonate what these rules name; resolves once a list with these headers shows that it counts. */
  grant(rules: readonly Rule[], headers: Headers): Promise<void>;
}

async function newCaller(server: ConformanceServer): Promise<Caller> {
  const name = `impersonator-${process.pid}-${++callers}`;
  const certificate = await clusterCertificate(server, name);
  let grants = 0;
  const list = (headers: Headers) => certifiedRequest(server, { path: configMaps, headers, certificate });
  return {
    name,
    list,
    async grant(rules, headers) {
      const metadata = { name: `${name}-${++grants}` };
      await server.expect(201, 'POST', `${rbac}/clusterroles`, {
        body: { metadata, rules: rules.map(impersonationRule) },
      });
      await server.expect(201, 'POST', `${rbac}/clusterrolebindings`, {
        body: {
          metadata,
          roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: metadata.name },
          subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name }],
        },
      });
      await until('the right counts', async () => !(await list(headers)).text.includes('impersonate'));
    },
  };
}

function impersonationRule({ group = '', resource, names }: Rule) {
  return {
    apiGroups: [group],
    resources: [resource],
    verbs: ['impersonate'],
    ...(names && { resourceNames: names }),
  };
}

/** Lists ConfigMaps as the administrator, who may act as everybody. */
function listAs(server: ConformanceServer, headers: Headers): Promise<Answer> {
  return server.request('GET', configMaps, { headers });
}

function assertRefused(answer: Answer, what: string): void {
  assert.equal(answer.code, 403, answer.text);
  assert.ok(String(answer.at('message')).includes(what), answer.text);
}

/** 2, "Impersonation". */
export const impersonationTests: ConformanceTests = {
  async '2/Impersonation/a the right is asked for, then the other user is authorized'(server) {
    const caller = await newCaller(server);
    const carol = { 'impersonate-user': 'carol' };
    assertRefused(await caller.list(carol), `"${caller.name}" cannot impersonate resource "users"`);
    assertRefused(await listAs(server, carol), '"carol" cannot list');
    assert.equal((await listAs(server, { ...carol, 'impersonate-group': 'system:masters' })).code, 200);
  },

  async '2/Impersonation/a a bad credential is 401, with impersonation headers too'(server) {
    const answer = await server.request('GET', '/api', {
      user: null,
      headers: { ...bearer('unknown-token'), 'impersonate-user': 'bob' },
    });
    assert.equal(answer.code, 401);
  },

  async '2/Impersonation/Impersonate-User the user is acted as'(under) {
    const server = await withOtherSwitches(under);
    const headers = { ...bearer('admin-token'), 'impersonate-user': 'carol' };
    assert.deepEqual(await whoIs(server, { headers }), {
      username: 'carol',
      groups: ['system:authenticated'],
    });
  },

  async '2/Impersonation/Impersonate-Group it is repeatable, and needs a user'(under) {
    const server = await withOtherSwitches(under);
    const headers = {
      ...bearer('admin-token'),
      'impersonate-user': 'carol',
      'impersonate-group': ['devs', 'qa'],
    };
    assert.deepEqual((await whoIs(server, { headers }))['groups'], ['devs', 'qa', 'system:authenticated']);
    assert.equal((await listAs(server, { 'impersonate-group': 'devs' })).code, 400);
  },

  async '2/Impersonation/Impersonate-Extra- keys are decoded, and need a user'(under) {
    const server = await withOtherSwitches(under);
    const headers = {
      ...bearer('admin-token'),
      'impersonate-user': 'carol',
      'impersonate-extra-scopes': ['a', 'b'],
      'impersonate-extra-acme.com%2fproject': 'p',
    };
    const { extra } = await whoIs(server, { headers });
    assert.deepEqual(extra, { scopes: ['a', 'b'], 'acme.com/project': ['p'] });
    assert.equal((await listAs(server, { 'impersonate-extra-scopes': 'a' })).code, 400);
  },

  async '2/Impersonation/Impersonate-Uid a uid needs a user'(under) {
    const server = await withOtherSwitches(under);
    const headers = { ...bearer('admin-token'), 'impersonate-user': 'carol', 'impersonate-uid': 'u-1' };
    assert.equal((await whoIs(server, { headers }))['uid'], 'u-1');
    assert.equal((await listAs(server, { 'impersonate-uid': 'u-1' })).code, 400);
  },

  async '2/Impersonation/b each part is a right of its own'(server) {
    const carol = { 'impersonate-user': 'carol' };
    const group = 'authentication.cluster.io';
    const parts: [Rule, Headers][] = [
      [{ resource: 'groups' }, { 'impersonate-group': 'devs' }],
      [{ group, resource: 'userextras/scopes' }, { 'impersonate-extra-scopes': 'a' }],
      [{ group, resource: 'uids' }, { 'impersonate-uid': 'u' }],
    ];
    for (const [rule, more] of parts) {
      const caller = await newCaller(server);
      const headers = { ...carol, ...more };
      await caller.grant([{ resource: 'users' }], carol);
      assertRefused(await caller.list(headers), `cannot impersonate resource "${rule.resource}"`);
      await caller.grant([rule], headers);
      assertRefused(await caller.list(headers), '"carol" cannot list');
    }
    const caller = await newCaller(server);
    const robot = { 'impersonate-user': 'system:serviceaccount:default:robot' };
    assertRefused(await caller.list(robot), 'cannot impersonate resource "serviceaccounts"');
    await caller.grant([{ resource: 'serviceaccounts' }], robot);
    assertRefused(await caller.list(robot), '"system:serviceaccount:default:robot" cannot list');
  },

  async '2/Impersonation/c one user, one value, and no other'(server) {
    const caller = await newCaller(server);
    const erin = { 'impersonate-user': 'erin' };
    const rules = [
      { resource: 'users', names: ['erin'] },
      { group: 'authentication.cluster.io', resource: 'userextras/scopes', names: ['a'] },
    ];
    await caller.grant(rules, { ...erin, 'impersonate-extra-scopes': 'a' });
    assertRefused(await caller.list({ ...erin, 'impersonate-extra-scopes': 'a' }), '"erin" cannot list');
    const otherValue = await caller.list({ ...erin, 'impersonate-extra-scopes': 'b' });
    assertRefused(otherValue, 'cannot impersonate resource "userextras/scopes"');
    assertRefused(await caller.list({ 'impersonate-user': 'dave' }), 'cannot impersonate resource "users"');
  },
};
