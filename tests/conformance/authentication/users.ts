import assert from 'node:assert/strict';
import { until } from '../../journeys/api-server.ts';
import { clusterCertificate } from '../drivers/certified-requests.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import { bearer, selfReview, whoIs } from './self-review.ts';

/** Creates a service account in a namespace of its own; gives its place and a token. */
async function newAccount(server: ConformanceServer) {
  const namespace = await server.namespace();
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const account = await server.expect(201, 'POST', accounts, { body: { metadata: { name: 'robot' } } });
  const issued = await server.expect(201, 'POST', `${accounts}/robot/token`, { body: { spec: {} } });
  return {
    namespace,
    uid: account.at('metadata', 'uid'),
    token: String(issued.at('status', 'token')),
    path: `${accounts}/robot`,
  };
}

/** 2, "What the service does", "User attributes", "SelfSubjectReview", "Principals". */
export const userTests: ConformanceTests = {
  async '2/What the service does/1 each method gives a user, and authorization acts on it'(under) {
    const server = await withOtherSwitches(under);
    const certificate = await clusterCertificate(server, 'carol');
    const { namespace, token } = await newAccount(server);
    const clients = [
      ['bob', { headers: bearer('bob-token') }],
      ['carol', { certificate }],
      [`system:serviceaccount:${namespace}:robot`, { headers: bearer(token) }],
      ['system:anonymous', {}],
    ] as const;
    for (const [username, client] of clients) {
      if (username !== 'system:anonymous') assert.equal((await whoIs(server, client))['username'], username);
      else assert.equal((await selfReview(server, client)).code, 403);
    }
  },

  async '2/User attributes/username every user has one'(under) {
    const server = await withOtherSwitches(under);
    assert.equal((await whoIs(server, { headers: bearer('alice-token') }))['username'], 'alice');
  },

  async '2/User attributes/uid it is that of the token file or of the account'(under) {
    const server = await withOtherSwitches(under);
    const { uid, token } = await newAccount(server);
    assert.equal((await whoIs(server, { headers: bearer('alice-token') }))['uid'], 'u-alice');
    assert.equal((await whoIs(server, { headers: bearer(token) }))['uid'], uid);
  },

  async '2/User attributes/groups system:authenticated is added once'(under) {
    const server = await withOtherSwitches(under);
    const certificate = await clusterCertificate(server, 'carol', ['devs', 'system:authenticated']);
    assert.deepEqual((await whoIs(server, { certificate }))['groups'], ['devs', 'system:authenticated']);
    const { groups } = await whoIs(server, { headers: bearer('admin-token') });
    assert.deepEqual(groups, ['system:masters', 'system:authenticated']);
  },

  async '2/User attributes/extra the pod of a bound token is among them'(under) {
    const server = await withOtherSwitches(under);
    const { namespace, path } = await newAccount(server);
    const pod = await server.expect(201, 'POST', `/api/v1/namespaces/${namespace}/pods`, {
      body: {
        metadata: { name: 'p' },
        spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
      },
    });
    const uid = String(pod.at('metadata', 'uid'));
    const issued = await server.expect(201, 'POST', `${path}/token`, {
      body: { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid } } },
    });
    const { extra } = await whoIs(server, { headers: bearer(String(issued.at('status', 'token'))) });
    assert.deepEqual(extra, {
      'authentication.cluster.io/pod-name': ['p'],
      'authentication.cluster.io/pod-uid': [uid],
    });
  },

  async '2/SelfSubjectReview/a what a client fills in does not count'(under) {
    const server = await withOtherSwitches(under);
    const answer = await server.expect(
      201,
      'POST',
      '/apis/authentication.cluster.io/v1alpha1/selfsubjectreviews',
      {
        user: 'bob',
        body: {
          apiVersion: 'authentication.cluster.io/v1alpha1',
          kind: 'SelfSubjectReview',
          status: { userInfo: { username: 'mallory' } },
        },
      },
    );
    assert.deepEqual(answer.at('status', 'userInfo'), {
      username: 'bob',
      uid: 'u-bob',
      groups: ['system:authenticated'],
    });
  },

  async '2/Endpoints/selfsubjectreviews apiVersion and kind are enough'(under) {
    const server = await withOtherSwitches(under);
    const answer = await selfReview(server, { headers: bearer('bob-token') });
    assert.equal(answer.code, 201);
    assert.equal(answer.at('kind'), 'SelfSubjectReview');
    assert.equal(answer.at('status', 'userInfo', 'username'), 'bob');
  },

  async '2/Principals/1 accounts are made through the API, and every namespace gets one by itself'(server) {
    const { namespace, path } = await newAccount(server);
    await server.expect(200, 'GET', path);
    await until('the default account is there', async () => {
      const answer = await server.request('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
      return answer.code === 200;
    });
  },

  async '2/Principals/2 the subject of a certificate names user and groups'(under) {
    const server = await withOtherSwitches(under);
    const certificate = await clusterCertificate(server, 'jane', ['devs', 'qa']);
    const { username, groups } = await whoIs(server, { certificate });
    assert.deepEqual([username, groups], ['jane', ['devs', 'qa', 'system:authenticated']]);
  },

  async '2/Principals/3 requests without credentials, and with those of an unknown scheme, are anonymous'(
    server,
  ) {
    for (const headers of [{}, { authorization: 'Basic YWxpY2U6cGFzc3dvcmQ=' }]) {
      const answer = await server.request('GET', '/api/v1/namespaces', { user: null, headers });
      assert.equal(answer.code, 403);
      assert.match(String(answer.at('message')), /"system:anonymous"/);
    }
  },

  async '2/Principals/a a certificate decides before a token, and a token without one'(under) {
    const server = await withOtherSwitches(under);
    const certificate = await clusterCertificate(server, 'carol');
    const both = await whoIs(server, { certificate, headers: bearer('bob-token') });
    assert.equal(both['username'], 'carol');
    assert.equal((await whoIs(server, { headers: bearer('bob-token') }))['username'], 'bob');
  },
};
