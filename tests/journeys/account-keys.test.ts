import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bindingClaim, createTokenSigner, secretTokenClaims } from '@binnacle/tokens';
import { type ApiServer, startApiServer } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const pem = (key: KeyObject) =>
  String(key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }));

interface Account {
  readonly name: string;
  readonly uid: string;
}

async function createAccount(server: ApiServer, name: string): Promise<Account> {
  const { code, text } = await server.call('POST', accounts, { body: { metadata: { name } } });
  assert.equal(code, 201, text);
  return { name, uid: JSON.parse(text).metadata.uid };
}

/** A token for an hour, signed with a key of the test's choice. */
function signed(account: Account, key: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return createTokenSigner(key)({
    iss: 'https://binnacle.local',
    sub: `system:serviceaccount:default:${account.name}`,
    aud: ['https://binnacle.local'],
    exp: now + 3600,
    [bindingClaim]: { namespace: 'default', serviceaccount: account },
  });
}

/** 403 for a user without rights, 401 for an unknown token. */
async function codeFor(server: ApiServer, token: string): Promise<number> {
  return (await server.call('GET', '/api/v1/nodes', { token })).code;
}

test('without configured keys the signing key of the server verifies tokens', async () => {
  await using server = await startApiServer();
  const account = await createAccount(server, 'robot');
  const key = await readFile(join(server.pki.serverDirectory, 'tls.key'), 'utf8');
  assert.equal(await codeFor(server, await signed(account, key)), 403);
  const other = await readFile(join(server.pki.clientDirectory('admin'), 'tls.key'), 'utf8');
  assert.equal(await codeFor(server, await signed(account, other)), 401);
});

test('each configured key verifies tokens, and no other', async () => {
  await using directory = await createTemporaryDirectory();
  const [p256, p384, p521] = ['P-256', 'P-384', 'P-521'].map(
    namedCurve => generateKeyPairSync('ec', { namedCurve }).privateKey,
  );
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  assert.ok(p256 && p384 && p521);
  const files = ['first.pem', 'second.pem'].map(name => join(directory.path, name));
  await writeFile(files[0] ?? '', pem(p256) + pem(rsa.publicKey) + pem(p384));
  await writeFile(files[1] ?? '', pem(p521));
  await using server = await startApiServer({ serviceAccountKeyFile: files });
  const account = await createAccount(server, 'robot');
  for (const key of [p256, p384, p521, rsa.privateKey])
    assert.equal(await codeFor(server, await signed(account, pem(key))), 403);
  for (const file of [server.pki.serviceAccountKeyFile, join(server.pki.serverDirectory, 'tls.key')])
    assert.equal(await codeFor(server, await signed(account, await readFile(file, 'utf8'))), 401, file);
});

test('without the lookup of accounts, tokens outlive their accounts and secrets', async () => {
  await using server = await startApiServer({ serviceAccountLookup: false, tokenSuccessCacheTtl: 0 });
  const account = await createAccount(server, 'robot');
  const key = await readFile(server.pki.serviceAccountKeyFile, 'utf8');
  const ofSecret = { namespace: 'default', secretName: 'never-there', account };
  const tokens = [await signed(account, key), await createTokenSigner(key)(secretTokenClaims(ofSecret))];
  assert.equal((await server.call('DELETE', `${accounts}/robot`)).code, 200);
  for (const token of tokens) assert.equal(await codeFor(server, token), 403);
});

test('a token of a secret is valid only in that secret and while it belongs to that account', async () => {
  await using server = await startApiServer({
    tokenSuccessCacheTtl: 0,
    tokenFailureCacheTtl: 0,
    controllers: new Set(['namespace']),
  });
  const account = await createAccount(server, 'robot');
  const sign = createTokenSigner(await readFile(server.pki.serviceAccountKeyFile, 'utf8'));
  const tokenIn = (secretName: string, more: object = {}) =>
    sign({ ...secretTokenClaims({ namespace: 'default', secretName, account }), ...more });
  const hold = async (name: string, token: string, annotations: Record<string, string>) => {
    const metadata = { name, annotations: { ...annotations } };
    const body = { metadata, type: 'cluster.io/service-account-token', stringData: { token } };
    const { code, text } = await server.call('POST', '/api/v1/namespaces/default/secrets', { body });
    assert.equal(code, 201, text);
  };
  const robot = { 'cluster.io/service-account.name': 'robot' };
  assert.equal(await codeFor(server, await tokenIn('none')), 401);
  await hold('held', await tokenIn('held'), robot);
  assert.equal(await codeFor(server, await tokenIn('held')), 403);
  assert.equal(await codeFor(server, await tokenIn('held', { note: 'another text' })), 401);
  await hold('empty', '', robot);
  assert.equal(await codeFor(server, await tokenIn('empty')), 401);
  await hold('foreign', await tokenIn('foreign'), { 'cluster.io/service-account.name': 'other' });
  assert.equal(await codeFor(server, await tokenIn('foreign')), 401);
  assert.equal((await server.call('DELETE', `${accounts}/robot`)).code, 200);
  assert.equal(await codeFor(server, await tokenIn('held')), 401);
});
