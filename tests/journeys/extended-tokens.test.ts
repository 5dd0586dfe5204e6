import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTokenSigner } from '@binnacle/tokens';
import { at } from './admin-server.ts';
import { startApiServer } from './api-server.ts';
import { type AuditedServer, startAuditedServer } from './audit-log.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const accounts = '/api/v1/namespaces/z/serviceaccounts';
const reviews = '/apis/authentication.cluster.io/v1/tokenreviews';
const issuer = 'https://binnacle.local';
const year = 365 * 24 * 3600;
const signingKey = String(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);

let stack: AsyncDisposableStack;
let audited: AuditedServer;
let podUid: string;
let accountUid: string;

before(async () => {
  stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory());
  const serviceAccountSigningKeyFile = join(directory.path, 'account.key');
  await writeFile(serviceAccountSigningKeyFile, signingKey);
  audited = stack.use(
    await startAuditedServer('- {level: Metadata}', {
      serviceAccountSigningKeyFile,
      serviceAccountKeyFile: [serviceAccountSigningKeyFile],
      apiAudiences: [issuer, 'api'],
    }),
  );
  accountUid = (await created(accounts, { metadata: { name: 'runner' } })).metadata.uid;
  const spec = { serviceAccountName: 'runner', containers: [{ name: 'c', image: 'i' }] };
  const pod = await created('/api/v1/namespaces/z/pods', { metadata: { name: 'p' }, spec });
  podUid = pod.metadata.uid;
  const [volume] = pod.spec.volumes;
  assert.equal(at(volume, 'projected', 'sources', 0, 'serviceAccountToken', 'expirationSeconds'), 3607);
  await created('/api/v1/namespaces/z/secrets', { metadata: { name: 's' } });
});
after(() => stack?.[Symbol.asyncDispose]());

async function created(path: string, body: unknown) {
  const { code, text } = await audited.server.call('POST', path, { body });
  assert.equal(code, 201, text);
  return JSON.parse(text);
}

const decodeClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const toPod = { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } };
const toSecret = { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } };

const requests: readonly { readonly what: string; readonly spec: object; readonly extended: boolean }[] = [
  { what: 'of a pod', spec: { ...toPod, expirationSeconds: 3607 }, extended: true },
  {
    what: 'of a pod for one audience of the API',
    spec: { ...toPod, expirationSeconds: 3607, audiences: ['api'] },
    extended: true,
  },
  {
    what: 'of a pod for others too',
    spec: { ...toPod, expirationSeconds: 3607, audiences: ['api', 'vault'] },
    extended: false,
  },
  {
    what: 'of a pod for an empty audience',
    spec: { ...toPod, expirationSeconds: 3607, audiences: [''] },
    extended: false,
  },
  { what: 'of a pod for an hour', spec: { ...toPod, expirationSeconds: 3600 }, extended: false },
  { what: 'of a pod for a second more', spec: { ...toPod, expirationSeconds: 3608 }, extended: false },
  { what: 'of a secret', spec: { ...toSecret, expirationSeconds: 3607 }, extended: false },
  { what: 'of the account alone', spec: { expirationSeconds: 3607 }, extended: false },
];
for (const { what, spec, extended } of requests)
  test(`a token ${what} ${extended ? 'is valid for a year' : 'ends as requested'}`, async () => {
    const { status, spec: answered } = await created(`${accounts}/runner/token`, { spec });
    const { iat, exp, aud, 'cluster.io': binding } = decodeClaims(status.token);
    const seconds = answered.expirationSeconds;
    assert.equal(exp - iat, extended ? year : seconds);
    assert.equal(binding.warnafter, extended ? iat + seconds : undefined);
    assert.equal(Date.parse(status.expirationTimestamp), (iat + seconds) * 1000);
    assert.deepEqual(aud, answered.audiences);
    assert.deepEqual({ ...answered, ...spec }, answered);
  });

test('without the extension tokens end as requested', async () => {
  await using server = await startApiServer({ serviceAccountExtendTokenExpiration: false });
  await server.namespace('z');
  const post = (path: string, body: object) => server.call('POST', path, { body });
  await post(accounts, { metadata: { name: 'runner' } });
  const spec = { serviceAccountName: 'runner', containers: [{ name: 'c', image: 'i' }] };
  await post('/api/v1/namespaces/z/pods', { metadata: { name: 'p' }, spec });
  const body = { spec: { ...toPod, expirationSeconds: 3607 } };
  const { code, text } = await post(`${accounts}/runner/token`, body);
  assert.equal(code, 201, text);
  const { iat, exp, 'cluster.io': binding } = decodeClaims(JSON.parse(text).status.token);
  assert.deepEqual([exp - iat, binding.warnafter], [3607, undefined]);
});

const counted = async (name: string) => {
  const { text } = await audited.server.call('GET', '/metrics');
  return Number(new RegExp(`^serviceaccount_${name}_tokens_total (\\d+)$`, 'm').exec(text)?.[1] ?? 'NaN');
};

test('a token past its requested end is valid, counted, and recorded in the audit log', async () => {
  const now = Math.floor(Date.now() / 1000);
  const username = 'system:serviceaccount:z:runner';
  const stale = await createTokenSigner(signingKey)({
    aud: [issuer],
    exp: now + year - 7200,
    iat: now - 7200,
    iss: issuer,
    nbf: now - 7200,
    sub: username,
    'cluster.io': {
      namespace: 'z',
      serviceaccount: { name: 'runner', uid: accountUid },
      pod: { name: 'p', uid: podUid },
      warnafter: now - 7200 + 3607,
    },
  });
  const fresh = (await created(`${accounts}/runner/token`, { spec: { ...toPod, expirationSeconds: 3607 } }))
    .status.token;
  const [staleBefore, validBefore] = [await counted('stale'), await counted('valid')];
  const key = 'authentication.cluster.io/stale-token';
  const note = new RegExp(`^subject: ${username}, seconds after warning threshold: 3[56]\\d\\d$`);
  const self = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
  const body = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
  const used = await audited.audited('POST', self, { token: stale, body });
  assert.equal(used.answer.code, 201, used.answer.text);
  assert.match(used.event.annotations?.[key] ?? '', note);
  const reviewed = await audited.audited('POST', reviews, { body: { spec: { token: stale } } });
  assert.equal(at(JSON.parse(reviewed.answer.text), 'status', 'user', 'username'), username);
  assert.match(reviewed.event.annotations?.[key] ?? '', note);
  const young = await audited.audited('POST', self, { token: fresh, body });
  assert.equal(young.answer.code, 201, young.answer.text);
  assert.equal(young.event.annotations?.[key], undefined);
  assert.ok((await counted('stale')) > staleBefore);
  assert.ok((await counted('valid')) > validBefore);
});

test('a TokenRequest is returned with its metadata and the values that the server sets', async () => {
  const labels = { team: 'a' };
  const annotations = { 'example.com/why': 'test' };
  const { metadata, status } = await created(`${accounts}/runner/token`, {
    metadata: { labels, annotations, creationTimestamp: '2001-01-01T00:00:00Z' },
    status: { token: 'mine' },
  });
  const { iat } = decodeClaims(status.token);
  assert.deepEqual(metadata, {
    labels,
    annotations,
    name: 'runner',
    namespace: 'z',
    creationTimestamp: new Date(iat * 1000).toISOString().replace('.000', ''),
  });
});
