import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, until } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

/** Longer than what any store takes as a key. */
const name = 'a'.repeat(2500);
const rbac = '/apis/rbac.authorization.cluster.io/v1';
const maps = '/api/v1/namespaces/long-names/configmaps';
const role = (named: string) => ({ metadata: { name: named }, rules: [] });
const binding = {
  metadata: { name: 'b' },
  subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.cluster.io' }],
  roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name },
};

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('long-names');
});
after(() => server?.[Symbol.asyncDispose]());

interface Case {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly code: number;
}

const tokenRequest = { apiVersion: 'authentication.cluster.io/v1', kind: 'TokenRequest', spec: {} };
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };

const cases: readonly Case[] = [
  { what: 'get', method: 'GET', path: `${maps}/${name}`, code: 404 },
  { what: 'get from the cache', method: 'GET', path: `${maps}/${name}?resourceVersion=0`, code: 404 },
  { what: 'update', method: 'PUT', path: `${maps}/${name}`, body: { metadata: { name } }, code: 404 },
  { what: 'delete', method: 'DELETE', path: `${maps}/${name}`, code: 404 },
  { what: 'create', method: 'POST', path: maps, body: { metadata: { name } }, code: 422 },
  {
    what: 'create of a kind without a bound',
    method: 'POST',
    path: `${rbac}/clusterroles`,
    body: role(name),
    code: 422,
  },
  {
    what: 'a binding to such a role',
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: binding,
    code: 201,
  },
  {
    what: 'scale',
    method: 'GET',
    path: `/apis/apps/v1/namespaces/long-names/deployments/${name}/scale`,
    code: 404,
  },
  {
    what: 'a token',
    method: 'POST',
    path: `/api/v1/namespaces/long-names/serviceaccounts/${name}/token`,
    body: tokenRequest,
    code: 404,
  },
  {
    what: 'an eviction',
    method: 'POST',
    path: `/api/v1/namespaces/long-names/pods/${name}/eviction`,
    body: eviction,
    code: 404,
  },
  {
    what: 'the proxy of a service',
    method: 'GET',
    path: `/api/v1/namespaces/long-names/services/${name}/proxy/`,
    code: 404,
  },
  {
    what: 'the proxy of a pod',
    method: 'GET',
    path: `/api/v1/namespaces/long-names/pods/${name}/proxy/`,
    code: 404,
  },
  {
    what: 'a list in such a namespace',
    method: 'GET',
    path: `/api/v1/namespaces/${name}/configmaps`,
    code: 200,
  },
  {
    what: 'a chunk in such a namespace',
    method: 'GET',
    path: `/api/v1/namespaces/${name}/configmaps?limit=1`,
    code: 200,
  },
  {
    what: 'a list not older than a version in such a namespace',
    method: 'GET',
    path: `/api/v1/namespaces/${name}/configmaps?resourceVersion=1&resourceVersionMatch=NotOlderThan&limit=2`,
    code: 200,
  },
  {
    what: 'deletecollection in such a namespace',
    method: 'DELETE',
    path: `/api/v1/namespaces/${name}/configmaps`,
    code: 200,
  },
  {
    what: 'create in such a namespace',
    method: 'POST',
    path: `/api/v1/namespaces/${name}/configmaps`,
    body: { metadata: { name: 'x' } },
    code: 404,
  },
  {
    what: 'get in such a namespace',
    method: 'GET',
    path: `/api/v1/namespaces/${name}/configmaps/x`,
    code: 404,
  },
];

for (const { what, method, path, body, code } of cases) {
  test(`a very long name: ${what}`, async () => {
    const answer = await server.call(method, path, body === undefined ? {} : { body });
    assert.equal(answer.code, code, answer.text.slice(0, 500).replace(name, '…'));
    if (code === 200) assert.deepEqual(answer.json.items, []);
  });
}

test('a user without the right to bind gets the refusal of a missing role', async () => {
  await server.call('POST', `${rbac}/clusterroles`, {
    body: {
      metadata: { name: 'binders' },
      rules: [
        { apiGroups: ['rbac.authorization.cluster.io'], resources: ['rolebindings'], verbs: ['create'] },
      ],
    },
  });
  await server.call('POST', `${rbac}/clusterrolebindings`, {
    body: {
      metadata: { name: 'binders' },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.cluster.io' }],
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'binders' },
    },
  });
  const body = { ...binding, metadata: { name: 'mine' } };
  const path = `${rbac}/namespaces/long-names/rolebindings`;
  let code = 403;
  // Rights come with the feed.
  await until('the right to count', async () => {
    ({ code } = await server.call('POST', path, { body, token: 'alicetoken' }));
    return code !== 403;
  });
  assert.equal(code, 404);
});
