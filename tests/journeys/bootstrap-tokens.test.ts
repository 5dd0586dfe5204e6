import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const secrets = '/api/v1/namespaces/cluster-system/secrets';
const clusterInfo = '/api/v1/namespaces/cluster-public/configmaps/cluster-info';
const merge = { 'Content-Type': 'application/merge-patch+json' };
const far = '2100-01-01T00:00:00Z';

let server: ApiServer;
before(async () => {
  server = await startApiServer({
    enableBootstrapTokenAuth: true,
    tokenSuccessCacheTtl: 10,
    tokenFailureCacheTtl: 10,
    controllers: new Set(['tokencleaner', 'bootstrapsigner', 'namespace']),
  });
});
after(() => server?.[Symbol.asyncDispose]());

interface Token {
  readonly id: string;
  readonly secret?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly type?: string;
}

async function createToken({ id, secret = '0123456789abcdef', data, type }: Token): Promise<string> {
  const body = {
    metadata: { name: `bootstrap-token-${id}` },
    type: type ?? 'bootstrap.cluster.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      ...data,
    },
  };
  const answer = await server.call('POST', secrets, { body });
  assert.equal(answer.code, 201, answer.text);
  return `${id}.${secret}`;
}

async function reviewUser(token: string) {
  const path = '/apis/authentication.cluster.io/v1/tokenreviews';
  return JSON.parse((await server.call('POST', path, { body: { spec: { token } } })).text).status;
}

for (const type of understood.secretTypes.bootstrapToken)
  test(`a token in a secret of type ${type} authenticates a joining node`, async () => {
    const id = type.includes('kubernetes') ? 'aaaaa2' : 'aaaaa1';
    const groups = 'system:bootstrappers:nodes:a,system:bootstrappers:b';
    const token = await createToken({ id, type, data: { expiration: far, 'auth-extra-groups': groups } });
    assert.deepEqual((await reviewUser(token)).user, {
      username: `system:bootstrap:${id}`,
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:b',
        'system:bootstrappers:nodes:a',
        'system:authenticated',
      ],
    });
    const answer = await server.call('GET', '/api/v1/nodes', { token });
    assert.equal(answer.code, 403);
    assert.match(answer.json.message, new RegExp(`system:bootstrap:${id}`));
  });

test('an invalid token is refused without a reason', async () => {
  await createToken({ id: 'bbbbb1', data: { 'usage-bootstrap-authentication': 'false' } });
  await createToken({ id: 'bbbbb2', data: { 'auth-extra-groups': 'system:masters' } });
  await createToken({ id: 'bbbbb3' });
  for (const token of [
    'bbbbb1.0123456789abcdef',
    'bbbbb2.0123456789abcdef',
    'bbbbb3.0123456789abcdee',
    'bbbbb9.0123456789abcdef',
  ]) {
    assert.deepEqual(await reviewUser(token), { user: {}, error: 'invalid bearer token' });
    const answer = await server.call('GET', '/api', { token });
    assert.equal(answer.code, 401);
    assert.equal(answer.json.message, 'Unauthorized');
  }
});

test('a token whose secret is being deleted is refused', async () => {
  const token = await createToken({ id: 'ccccc1' });
  await until('it is taken', async () => (await reviewUser(token)).authenticated === true);
  const path = `${secrets}/bootstrap-token-ccccc1`;
  await server.call('PATCH', path, { body: { metadata: { finalizers: ['example.com/a'] } }, headers: merge });
  assert.equal((await server.call('DELETE', path)).code, 200);
  await until('it is refused', async () => (await reviewUser(token)).authenticated === undefined);
  await server.call('PATCH', path, { body: { metadata: { finalizers: null } }, headers: merge });
});

test('expired tokens are deleted, and no others', async () => {
  const gone = async (id: string) =>
    (await server.call('GET', `${secrets}/bootstrap-token-${id}`)).code === 404;
  await createToken({ id: 'ddddd1', data: { expiration: new Date(Date.now() + 1500).toISOString() } });
  await createToken({ id: 'ddddd2', data: { expiration: 'soon' } });
  await createToken({ id: 'ddddd3', data: { expiration: '2020-01-01T00:00:00Z' } });
  await createToken({ id: 'ddddd4', data: { expiration: far } });
  await createToken({ id: 'ddddd5', type: 'Opaque', data: { expiration: '2020-01-01T00:00:00Z' } });
  for (const id of ['ddddd1', 'ddddd2', 'ddddd3']) await until(`${id} is gone`, () => gone(id));
  assert.deepEqual([await gone('ddddd4'), await gone('ddddd5')], [false, false]);
});

test('cluster-info is signed with each token for signing, and with no others', async () => {
  const kubeconfig = 'apiVersion: v1\nclusters: []\n';
  const createSignature = (id: string, content: string) => {
    const header = Buffer.from(`{"alg":"HS256","kid":"${id}"}`).toString('base64url');
    const payload = Buffer.from(content).toString('base64url');
    const mac = createHmac('sha256', '0123456789abcdef').update(`${header}.${payload}`).digest('base64url');
    return `${header}..${mac}`;
  };
  const list = await server.call('GET', secrets);
  for (const { metadata } of list.json.items) await server.call('DELETE', `${secrets}/${metadata.name}`);
  await createToken({ id: 'eeeee1' });
  await createToken({ id: 'eeeee2', data: { expiration: far } });
  await createToken({ id: 'eeeee3', data: { 'usage-bootstrap-signing': 'false' } });
  await createToken({ id: 'eeeee4', data: { 'token-id': 'other1' } });
  const body = { metadata: { name: 'cluster-info' }, data: { kubeconfig, 'jws-kubeconfig-zzzzzz': 'stale' } };
  const created = await server.call('POST', clusterInfo.replace(/\/[^/]*$/, ''), { body });
  assert.equal(created.code, 201, created.text);
  const signedBy = async (ids: readonly string[], content: string) => {
    const signatures = ids.map(id => [`jws-kubeconfig-${id}`, createSignature(id, content)]);
    const wanted = { kubeconfig: content, ...Object.fromEntries(signatures) };
    await until(`signed by ${ids.join(' and ')}`, async () => {
      const { data } = (await server.call('GET', clusterInfo)).json;
      const sorted = (all: object) =>
        JSON.stringify(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
      return sorted(data) === sorted(wanted);
    });
  };
  await signedBy(['eeeee1', 'eeeee2'], kubeconfig);
  const changed = `${kubeconfig}# changed\n`;
  await server.call('PATCH', clusterInfo, { body: { data: { kubeconfig: changed } }, headers: merge });
  await signedBy(['eeeee1', 'eeeee2'], changed);
  await server.call('DELETE', `${secrets}/bootstrap-token-eeeee1`);
  await signedBy(['eeeee2'], changed);
});
