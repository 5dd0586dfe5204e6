import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings } from './admin-server.ts';
import { type Answer, type ApiServer, startApiServer, until } from './api-server.ts';

const accounts = '/api/v1/namespaces/z/serviceaccounts';
const reviews = '/apis/authentication.cluster.io/v1/tokenreviews';
const issuer = 'https://binnacle.local';

let server: ApiServer;
before(async () => {
  server = await startApiServer({ tokenSuccessCacheTtl: 10 });
  await server.namespace('z');
});
after(() => server?.[Symbol.asyncDispose]());

const parseBody = (answer: Answer) => JSON.parse(answer.text);

async function created(path: string, body: unknown) {
  const answer = await server.call('POST', path, { body });
  assert.equal(answer.code, 201, answer.text);
  return parseBody(answer);
}

/** The token of a new account of that name, and the account. */
async function requestToken(name: string, spec: Record<string, unknown> = {}) {
  const account = await created(accounts, { metadata: { name } });
  const request = await created(`${accounts}/${name}/token`, { spec });
  return { account, request, token: request.status.token as string };
}

const decodeClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const reviewUser = async (token: string, audiences?: string[]) =>
  (await created(reviews, { spec: { token, ...(audiences && { audiences }) } })).status;

test('a token authenticates its account for an hour', async () => {
  const { account, request, token } = await requestToken('robot');
  assert.equal(request.kind, 'TokenRequest');
  assert.deepEqual(request.spec, {
    audiences: [issuer],
    expirationSeconds: 3600,
    boundObjectRef: null,
  });
  const claims = decodeClaims(token);
  assert.equal(claims.exp - claims.iat, 3600);
  assert.equal(Date.parse(request.status.expirationTimestamp), claims.exp * 1000);
  assert.deepEqual(claims, {
    aud: [issuer],
    exp: claims.exp,
    iat: claims.iat,
    iss: issuer,
    'cluster.io': { namespace: 'z', serviceaccount: { name: 'robot', uid: account.metadata.uid } },
    nbf: claims.iat,
    sub: 'system:serviceaccount:z:robot',
  });
  assert.deepEqual(await reviewUser(token), {
    authenticated: true,
    user: {
      username: 'system:serviceaccount:z:robot',
      uid: account.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:z', 'system:authenticated'],
    },
    audiences: [issuer],
  });
  const asRobot = await server.call('GET', '/api/v1/namespaces/z/pods', { token });
  assert.match(asRobot.json.message, /system:serviceaccount:z:robot/);
  assert.equal(asRobot.code, 403);
});

test('a token for other audiences is refused', async () => {
  const { token } = await requestToken('traveller', {
    audiences: ['elsewhere', 'far'],
    expirationSeconds: 600,
  });
  assert.equal((await server.call('GET', '/api', { token })).code, 401);
  assert.equal((await reviewUser(token)).authenticated, undefined);
  assert.deepEqual((await reviewUser(token, ['far', 'near'])).audiences, ['far']);
  assert.equal((await server.call('GET', '/api', { token })).code, 401);
});

test('a token ends with its account and its bound object', async () => {
  const secrets = '/api/v1/namespaces/z/secrets';
  const pods = '/api/v1/namespaces/z/pods';
  await created(secrets, { metadata: { name: 'key' } });
  const bound = (kind: string, name: string) => ({ boundObjectRef: { apiVersion: 'v1', kind, name } });
  const plain = await requestToken('mortal');
  const withSecret = await requestToken('keeper', bound('Secret', 'key'));
  await created(accounts, { metadata: { name: 'runner' } });
  const container = { name: 'c', image: 'i' };
  const pod = await created(pods, {
    metadata: { name: 'p' },
    spec: { serviceAccountName: 'runner', containers: [container] },
  });
  const withPod = (await created(`${accounts}/runner/token`, { spec: bound('Pod', 'p') })).status.token;
  assert.deepEqual((await reviewUser(withPod)).user.extra, {
    'authentication.cluster.io/pod-name': ['p'],
    'authentication.cluster.io/pod-uid': [pod.metadata.uid],
  });
  for (const [token, path] of [
    [plain.token, `${accounts}/mortal`],
    [withSecret.token, `${secrets}/key`],
    [withPod, `${pods}/p?gracePeriodSeconds=0`],
  ] as const) {
    const requestCode = async () => (await server.call('GET', '/api', { token })).code;
    assert.equal((await reviewUser(token)).authenticated, true, path);
    assert.equal(await requestCode(), 200, path);
    assert.equal((await server.call('DELETE', path)).code, 200);
    await until(`${path} is gone for its token`, async () => !(await reviewUser(token)).authenticated);
    await until(`requests with the token of ${path} are refused`, async () => (await requestCode()) === 401);
  }
  await created(accounts, { metadata: { name: 'mortal' } });
  assert.equal((await reviewUser(plain.token)).authenticated, undefined);
});

interface Refusal {
  readonly what: string;
  readonly account?: string;
  readonly body: Record<string, unknown>;
  readonly code: number;
  readonly findings: readonly string[];
}
const refusals: readonly Refusal[] = [
  { what: 'of an account that is not there', account: 'nobody', body: {}, code: 404, findings: ['NotFound'] },
  {
    what: 'of nine minutes',
    body: { spec: { expirationSeconds: 540 } },
    code: 422,
    findings: ['Invalid', 'FieldValueInvalid spec.expirationSeconds'],
  },
  {
    what: 'of centuries',
    body: { spec: { expirationSeconds: 2 ** 32 + 1 } },
    code: 422,
    findings: ['Invalid', 'FieldValueInvalid spec.expirationSeconds'],
  },
  {
    what: 'bound to nothing',
    body: { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'none' } } },
    code: 404,
    findings: ['NotFound'],
  },
  {
    what: 'bound to what nothing is bound to',
    body: { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'none' } } },
    code: 400,
    findings: ['BadRequest'],
  },
  {
    what: 'bound to another object of that name',
    body: { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'x' } } },
    code: 409,
    findings: ['Conflict'],
  },
  {
    what: 'bound to a pod of another account',
    body: { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'foreign' } } },
    code: 400,
    findings: ['BadRequest'],
  },
  {
    what: 'under another name',
    body: { metadata: { name: 'x' } },
    code: 422,
    findings: ['Invalid', 'FieldValueInvalid metadata.name'],
  },
  { what: 'of another kind', body: { kind: 'TokenReview' }, code: 400, findings: ['BadRequest'] },
];

test('tokens are refused', async t => {
  await created(accounts, { metadata: { name: 'strict' } });
  await created(accounts, { metadata: { name: 'other' } });
  await created('/api/v1/namespaces/z/secrets', { metadata: { name: 's' } });
  const spec = { serviceAccountName: 'other', containers: [{ name: 'c', image: 'i' }] };
  await created('/api/v1/namespaces/z/pods', { metadata: { name: 'foreign' }, spec });
  for (const { what, account = 'strict', body, code, findings: expected } of refusals)
    await t.test(what, async () => {
      const answer = await server.call('POST', `${accounts}/${account}/token`, { body });
      assert.equal(answer.code, code, answer.text);
      assert.deepEqual(findings(parseBody(answer)), expected);
    });
  assert.equal((await server.call('GET', `${accounts}/strict/token`)).code, 405);
  const asBob = await server.call('POST', `${accounts}/strict/token`, { token: 'bobtoken', body: {} });
  assert.equal(asBob.code, 403);
  assert.match(asBob.json.message, /serviceaccounts\/token/);
});

test('a client gets its own name of the group, in JSON and protobuf', async () => {
  await created(accounts, { metadata: { name: 'speller' } });
  const path = `${accounts}/speller/token`;
  const apiVersion = 'authentication.k8s.io/v1';
  const request = await created(path, { apiVersion, kind: 'TokenRequest', spec: {} });
  assert.equal(request.apiVersion, apiVersion);
  const headers = { Accept: 'application/vnd.kubernetes.protobuf' };
  const answer = await server.call('POST', path, { body: { apiVersion, kind: 'TokenRequest' }, headers });
  assert.equal(answer.code, 201);
  assert.equal(answer.bytes.subarray(0, 4).toString('latin1'), 'k8s\0');
  assert.ok(answer.bytes.includes(apiVersion));
});

test('the token of a terminating pod is valid during its grace period', async () => {
  const path = '/api/v1/namespaces/z/pods';
  await created(accounts, { metadata: { name: 'ending' } });
  const containers = [{ name: 'c', image: 'i' }];
  const spec = { serviceAccountName: 'ending', nodeName: 'n', containers };
  await created(path, { metadata: { name: 'slow' }, spec });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'slow' };
  const { status } = await created(`${accounts}/ending/token`, { spec: { boundObjectRef } });
  const deleted = await server.call('DELETE', `${path}/slow?gracePeriodSeconds=600`);
  assert.equal(deleted.code, 200);
  assert.ok(parseBody(deleted).metadata.deletionTimestamp);
  assert.equal((await reviewUser(status.token)).authenticated, true);
  assert.equal((await server.call('DELETE', `${path}/slow?gracePeriodSeconds=0`)).code, 200);
  await until('the pod is gone for its token', async () => !(await reviewUser(status.token)).authenticated);
});
