import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueAuthority, issueCertificate } from '@binnacle/tls/testing';
import { until } from '../../journeys/api-server.ts';
import { unauthorizedStatus } from '../../journeys/setup/unauthorized-status.ts';
import { certifiedRequest, clusterCertificate } from '../drivers/certified-requests.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { bearer, selfReview, whoIs } from './self-review.ts';
import { withEveryMethod } from './with-every-method.ts';

const secrets = '/api/v1/namespaces/cluster-system/secrets';
const tokenSecret = '0123456789abcdef';

interface BootstrapToken {
  readonly id: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Creates the secret of a bootstrap token; gives the token. */
async function bootstrapToken(server: ConformanceServer, { id, more = {} }: BootstrapToken): Promise<string> {
  const stringData = {
    'token-id': id,
    'token-secret': tokenSecret,
    'usage-bootstrap-authentication': 'true',
    ...more,
  };
  await server.expect(201, 'POST', secrets, {
    body: { metadata: { name: `bootstrap-token-${id}` }, type: 'bootstrap.cluster.io/token', stringData },
  });
  return `${id}.${tokenSecret}`;
}

async function requestCode(server: ConformanceServer, token: string): Promise<number> {
  return (await selfReview(server, { headers: bearer(token) })).code;
}

/** Checks that a secret that expires soon is deleted. */
async function assertCleaned(under: ConformanceServer, id: string): Promise<void> {
  const { server } = await withEveryMethod(under);
  const expiration = new Date(Date.now() + 2000).toISOString();
  await bootstrapToken(server, { id, more: { expiration } });
  await until('the expired token is deleted', async () => {
    const { code } = await server.request('GET', `${secrets}/bootstrap-token-${id}`);
    return code === 404;
  });
}

async function newAccount(server: ConformanceServer) {
  const namespace = await server.namespace();
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const account = await server.expect(201, 'POST', path, { body: { metadata: { name: 'robot' } } });
  return { namespace, path: `${path}/robot`, uid: String(account.at('metadata', 'uid')) };
}

/** 2, "Methods", "Bootstrap token secret". */
export const methodTests: ConformanceTests = {
  async '2/Methods/client certificate a file of several authorities'(server) {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-authorities-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const others = await Promise.all(['second', 'third'].map(name => issueAuthority(name, 2)));
    const own = readFileSync(join(server.dataDirectory, 'pki', 'ca.crt'), 'utf8');
    const bundle = join(folder, 'bundle.crt');
    writeFileSync(bundle, [own, ...others.map(({ cert }) => cert)].join(''));
    const variant = await server.variant({ 'client-ca-file': bundle });
    const requestName = async (certificate?: { readonly cert: string; readonly key: string }) =>
      (await certifiedRequest(variant, { path: '/api/v1/namespaces', certificate })).text;
    for (const [index, authority] of others.entries()) {
      const commonName = `client-${index}`;
      const request = { commonName, usages: ['client' as const], validDays: 1 };
      assert.match(
        await requestName(await issueCertificate(authority, request)),
        new RegExp(`"${commonName}`),
      );
    }
    assert.match(await requestName(await clusterCertificate(variant, 'jane')), /jane/);
    const stranger = await issueAuthority('stranger', 2);
    const forged = await issueCertificate(stranger, { commonName: 'eve', usages: ['client'], validDays: 1 });
    assert.match(await requestName(forged), /"code":401/);
  },

  async '2/Methods/static token file token, name, uid and groups'(under) {
    const { server } = await withEveryMethod(under);
    assert.deepEqual(await whoIs(server, { headers: bearer('admin-token') }), {
      username: 'admin',
      uid: 'u-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  },

  async '2/Methods/bearer token the scheme is read without regard to case'(under) {
    const { server } = await withEveryMethod(under);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const { username } = await whoIs(server, { headers: { authorization: `${scheme} bob-token` } });
      assert.equal(username, 'bob');
    }
  },

  async '2/Methods/bootstrap token user and groups'(under) {
    const { server } = await withEveryMethod(under);
    const more = { 'auth-extra-groups': 'system:bootstrappers:worker' };
    const token = await bootstrapToken(server, { id: 'aaaaa1', more });
    const { username, groups } = await whoIs(server, { headers: bearer(token) });
    assert.equal(username, 'system:bootstrap:aaaaa1');
    assert.deepEqual([...(groups as string[])].sort(), [
      'system:authenticated',
      'system:bootstrappers',
      'system:bootstrappers:worker',
    ]);
  },

  async '2/Methods/bootstrap token one whose secret is deleted is good no longer'(under) {
    const { server } = await withEveryMethod(under);
    const token = await bootstrapToken(server, { id: 'aaaaa3' });
    assert.equal(await requestCode(server, token), 201);
    await server.expect(200, 'DELETE', `${secrets}/bootstrap-token-aaaaa3`);
    await until('it is refused', async () => (await requestCode(server, token)) === 401);
  },

  async '2/Methods/bootstrap token not without its flag'(server) {
    const token = await bootstrapToken(server, { id: 'aaaaa2' });
    const answer = await server.request('GET', '/api', { user: null, headers: bearer(token) });
    assert.equal(answer.code, 401);
  },

  '2/Methods/bootstrap token, cleaner expired tokens go': server => assertCleaned(server, 'bbbbb1'),

  async '2/Methods/bootstrap token, signer the kubeconfig of cluster-info is signed for each token'(under) {
    const { server } = await withEveryMethod(under);
    const configMaps = '/api/v1/namespaces/cluster-public/configmaps';
    const kubeconfig = 'apiVersion: v1\nkind: Config\n';
    await bootstrapToken(server, { id: 'ccccc1', more: { 'usage-bootstrap-signing': 'true' } });
    const body = { metadata: { name: 'cluster-info' }, data: { kubeconfig } };
    await server.expect(201, 'POST', configMaps, { body });
    let signature = '';
    await until('it is signed', async () => {
      const answer = await server.expect(200, 'GET', `${configMaps}/cluster-info`);
      signature = String(answer.at('data', 'jws-kubeconfig-ccccc1') ?? '');
      return signature !== '';
    });
    const [header = '', content, code] = signature.split('.');
    assert.equal(content, '', 'the content is detached');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    assert.deepEqual([alg, kid], ['HS256', 'ccccc1']);
    const signed = `${header}.${Buffer.from(kubeconfig).toString('base64url')}`;
    assert.equal(code, createHmac('sha256', tokenSecret).update(signed).digest('base64url'));
  },

  async '2/Methods/service account token user and groups of the account, with keys of both kinds'(under) {
    const { server, accountToken } = await withEveryMethod(under);
    const { namespace, path, uid } = await newAccount(server);
    const issued = await server.expect(201, 'POST', `${path}/token`, { body: { spec: {} } });
    const token = String(issued.at('status', 'token'));
    const [header = '', claims = ''] = token
      .split('.')
      .map(part => Buffer.from(part, 'base64url').toString());
    assert.equal(JSON.parse(header).alg, 'ES256');
    for (const shown of [token, accountToken(JSON.parse(claims))]) {
      const user = await whoIs(server, { headers: bearer(shown) });
      assert.deepEqual(user, {
        username: `system:serviceaccount:${namespace}:robot`,
        uid,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      });
    }
  },

  async '2/Methods/service account token, lookup a deleted account ends its tokens'(under) {
    const { server } = await withEveryMethod(under);
    const { path } = await newAccount(server);
    const issued = await server.expect(201, 'POST', `${path}/token`, { body: { spec: {} } });
    const token = String(issued.at('status', 'token'));
    assert.equal(await requestCode(server, token), 201);
    await server.expect(200, 'DELETE', path);
    await until('the token is revoked', async () => (await requestCode(server, token)) === 401);
  },

  async '2/Methods/OpenID Connect the id token is the bearer token'(under) {
    const { server, remote, idToken } = await withEveryMethod(under);
    await until(
      'the keys of the provider are there',
      async () => (await requestCode(server, idToken())) === 201,
    );
    const { username } = await whoIs(server, { headers: bearer(idToken()) });
    assert.equal(username, `${remote.url}#ida`);
  },

  async '2/Bootstrap token secret/a form, namespace and type decide'(under) {
    const { server } = await withEveryMethod(under);
    const good = await bootstrapToken(server, { id: 'ddddd1' });
    assert.equal(await requestCode(server, good), 201);
    const name = 'bootstrap-token-ddddd2';
    const stringData = {
      'token-id': 'ddddd2',
      'token-secret': tokenSecret,
      'usage-bootstrap-authentication': 'true',
    };
    await server.expect(201, 'POST', secrets, { body: { metadata: { name }, type: 'Opaque', stringData } });
    const namespace = await server.namespace();
    await server.expect(201, 'POST', `/api/v1/namespaces/${namespace}/secrets`, {
      body: {
        metadata: { name: 'bootstrap-token-ddddd3' },
        type: 'bootstrap.cluster.io/token',
        stringData: { ...stringData, 'token-id': 'ddddd3' },
      },
    });
    const unused = await bootstrapToken(server, {
      id: 'ddddd4',
      more: { 'usage-bootstrap-authentication': 'false' },
    });
    const past = await bootstrapToken(server, {
      id: 'ddddd5',
      more: { expiration: '2020-01-01T00:00:00Z' },
    });
    const bad = [
      `ddddd2.${tokenSecret}`,
      `ddddd3.${tokenSecret}`,
      unused,
      past,
      good.toUpperCase(),
      `${good}0`,
      good.slice(1),
      `ddddd1.${'f'.repeat(16)}`,
    ];
    for (const token of bad) assert.equal(await requestCode(server, token), 401, token);
  },

  '2/States and transitions/bootstrap token secret it goes when it expires': server =>
    assertCleaned(server, 'eeeee1'),

  async '2/Errors/invalid bearer token 401, and nothing says why'(under) {
    const { server, idToken } = await withEveryMethod(under);
    const [good, long] = [idToken(), 'x'.repeat(20_000)];
    const bad = ['x', 'a.b.c', long, idToken({ aud: 'another' }), idToken({}, { lifetimeSeconds: -60 })];
    const twice: OutgoingHttpHeaders = { Authorization: [`Bearer ${good}`, `Bearer ${good}`] };
    for (const headers of [...bad.map(bearer), twice]) {
      const answer = await certifiedRequest(server, { path: '/api', headers });
      assert.equal(answer.code, 401);
      assert.deepEqual(answer.body, unauthorizedStatus);
    }
  },
};
