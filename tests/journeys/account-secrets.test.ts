import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { standaloneFlags } from '@binnacle/standalone';
import { type Answer, type ApiServer, type Document, startApiServer, until } from './api-server.ts';

const accounts = '/api/v1/namespaces/z/serviceaccounts';
const secrets = '/api/v1/namespaces/z/secrets';
const tokenParts = ['ca.crt', 'namespace', 'token'];

let server: ApiServer;
before(async () => {
  server = await startApiServer({
    tokenSuccessCacheTtl: 10,
    tokenFailureCacheTtl: 10,
    tlsReloadInterval: 100,
    controllers: standaloneFlags.controllers.defaultValue,
  });
  await server.namespace('z');
});
after(() => server?.[Symbol.asyncDispose]());

async function created(path: string, body: unknown): Promise<Document> {
  const answer = await server.call('POST', path, { body });
  assert.equal(answer.code, 201, answer.text);
  return answer.json;
}

const secretFor = (account: string, name: string, domain = 'cluster.io') => ({
  metadata: { name, annotations: { [`${domain}/service-account.name`]: account } },
  type: `${domain}/service-account-token`,
});
const decoded = (secret: Document, key: string) => Buffer.from(secret.data[key] ?? '', 'base64').toString();

/** The Secret once it has all parts and the condition holds. */
async function filled(name: string, holds = (_: Document) => true): Promise<Document> {
  let answer: Answer | undefined;
  await until(`${name} is filled`, async () => {
    answer = await server.call('GET', `${secrets}/${name}`);
    const { data = {} } = answer.json;
    return tokenParts.every(key => key in data) && holds(answer.json);
  });
  assert.ok(answer);
  return answer.json;
}

async function authenticated(token: string): Promise<boolean> {
  return (await server.call('GET', '/api/v1/namespaces/z/pods', { token })).code === 403;
}

for (const domain of understood.domains.labels)
  test(`a secret of type ${domain}/service-account-token is completed for its account`, async () => {
    const name = `robot-${understood.domains.labels.indexOf(domain)}`;
    const account = await created(accounts, { metadata: { name } });
    await created(secrets, secretFor(name, `${name}-token`, domain));
    const secret = await filled(`${name}-token`);
    const { uid } = account.metadata as { uid?: string };
    assert.equal(secret.metadata.annotations[`${domain}/service-account.uid`], uid);
    assert.equal(decoded(secret, 'namespace'), 'z');
    assert.equal(decoded(secret, 'ca.crt'), await readFile(server.pki.caFile, 'utf8'));
    const token = decoded(secret, 'token');
    assert.deepEqual(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()), {
      iss: 'cluster.io/serviceaccount',
      'cluster.io/serviceaccount/namespace': 'z',
      'cluster.io/serviceaccount/secret.name': `${name}-token`,
      'cluster.io/serviceaccount/service-account.name': name,
      'cluster.io/serviceaccount/service-account.uid': uid,
      sub: `system:serviceaccount:z:${name}`,
    });
    const asRobot = await server.call('GET', '/api/v1/namespaces/z/pods', { token });
    assert.match(asRobot.json.message, new RegExp(`system:serviceaccount:z:${name}`));
  });

test('missing and wrong parts of a token secret are restored', async () => {
  await created(accounts, { metadata: { name: 'keeper' } });
  await created(secrets, secretFor('keeper', 'keeper-token'));
  const first = await filled('keeper-token');
  const right = { 'ca.crt': first.data['ca.crt'], namespace: first.data['namespace'] };
  const wrong = Buffer.from('wrong').toString('base64');
  for (const data of [{ 'ca.crt': wrong }, { namespace: wrong }, { namespace: null }]) {
    const answer = await server.call('PATCH', `${secrets}/keeper-token`, {
      body: { data },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    assert.equal(answer.code, 200, answer.text);
    const whole = await filled('keeper-token', ({ data: now }) =>
      Object.entries(right).every(([key, value]) => now[key] === value),
    );
    assert.equal(whole.data['token'], first.data['token']);
  }
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const other = await filled('robot-0-token');
  assert.equal(await authenticated(decoded(first, 'token')), true);
  // The token of another secret is none of this one.
  for (const token of [other.data['token'], wrong]) {
    await server.call('PATCH', `${secrets}/keeper-token`, { body: { data: { token } }, headers });
    const whole = await filled('keeper-token', ({ data }) => data['token'] !== token);
    await until('its new token is taken', () => authenticated(decoded(whole, 'token')));
  }
});

test('a token ends with its secret, which is removed from the list of the account', async () => {
  await created(accounts, {
    metadata: { name: 'lister' },
    secrets: [{ name: 'lister-token' }, { name: 'b' }],
  });
  await created(secrets, secretFor('lister', 'lister-token'));
  const token = decoded(await filled('lister-token'), 'token');
  await until('the token is taken', () => authenticated(token));
  assert.equal((await server.call('DELETE', `${secrets}/lister-token`)).code, 200);
  await until('the token is refused', async () => (await server.call('GET', '/api', { token })).code === 401);
  await until('the account does not list it', async () => {
    const answer = await server.call('GET', `${accounts}/lister`);
    return JSON.stringify(JSON.parse(answer.text).secrets) === '[{"name":"b"}]';
  });
});

test('a secret is deleted with its account, and not used by a later account of the same name', async () => {
  await created(accounts, { metadata: { name: 'mortal' } });
  await created(secrets, secretFor('mortal', 'mortal-token'));
  const token = decoded(await filled('mortal-token'), 'token');
  const gone = async (name: string) => (await server.call('GET', `${secrets}/${name}`)).code === 404;
  assert.equal((await server.call('DELETE', `${accounts}/mortal`)).code, 200);
  await until('the secret is gone', () => gone('mortal-token'));
  await created(accounts, { metadata: { name: 'mortal' } });
  assert.equal((await server.call('GET', '/api', { token })).code, 401);
  const stale = secretFor('mortal', 'stale');
  const annotations = { ...stale.metadata.annotations, 'cluster.io/service-account.uid': 'another' };
  await created(secrets, { ...stale, metadata: { ...stale.metadata, annotations } });
  await until('a secret of another uid is gone', () => gone('stale'));
  await created(secrets, secretFor('nobody', 'orphan'));
  await until('a secret of a missing account is gone', () => gone('orphan'));
});

test('every namespace has the certificate authority of the server, and keeps it', async () => {
  const path = '/api/v1/namespaces/z/configmaps/kube-root-ca.crt';
  const authority = await readFile(server.pki.caFile, 'utf8');
  const holds = async () => {
    const { code, json } = await server.call('GET', path);
    return code === 200 && JSON.stringify(json.data) === JSON.stringify({ 'ca.crt': authority });
  };
  await until('it is there', holds);
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const changes = [
    { data: { 'ca.crt': 'another' } },
    { data: { more: 'text' } },
    { immutable: true, data: { 'ca.crt': 'another' } },
  ];
  for (const body of changes) {
    const { metadata } = (await server.call('PATCH', path, { body, headers })).json;
    await until('it is as it was', async () => {
      const now = (await server.call('GET', path)).json.metadata;
      return now?.resourceVersion !== metadata.resourceVersion && (await holds());
    });
  }
  assert.equal((await server.call('DELETE', path)).code, 200);
  await until('it is there again', holds);
  for (const namespace of ['default', 'cluster-system', 'cluster-public'])
    await until(
      `it is in ${namespace}`,
      async () => (await server.call('GET', path.replace('/z/', `/${namespace}/`))).code === 200,
    );
});

test('another authority of the API comes into the token secrets and into every namespace without a restart', async () => {
  await created(accounts, { metadata: { name: 'trusting' } });
  await created(secrets, secretFor('trusting', 'trusting-token'));
  await filled('trusting-token');
  const file = join(server.pki.clientDirectory('controller-manager'), 'ca.crt');
  const authority = await readFile(file, 'utf8');
  const both = `${authority}${authority}`;
  await writeFile(file, both);
  await filled('trusting-token', secret => decoded(secret, 'ca.crt') === both);
  await until('the namespace has the authorities', async () => {
    const { json } = await server.call('GET', '/api/v1/namespaces/z/configmaps/kube-root-ca.crt');
    return json.data?.['ca.crt'] === both;
  });
});
