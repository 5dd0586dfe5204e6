import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { before, test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import { algorithmFromKey } from '@binnacle/tokens';
import { keyIdFromKey } from '@binnacle/tokens/testing';
import jose from 'node-jose';
import { createServiceAccountAuthenticator } from './service-account.ts';
import { readVerificationKeys, type VerificationKeys } from './verification-keys.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };
const issuer = 'https://binnacle.example';
const ecdsa = keyPair('ec');
const rsa = keyPair('rsa');
const foreign = keyPair('ec');
const seconds = Math.floor(Date.now() / 1000);
let keys: VerificationKeys;

before(async () => {
  keys = await readVerificationKeys([pem(ecdsa) + pem(rsa)]);
});

function keyPair(type: 'ec' | 'rsa'): KeyObject {
  return type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

function pem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}

const claims = {
  iss: issuer,
  sub: 'system:serviceaccount:tour:robot',
  aud: ['api'],
  exp: seconds + 600,
  nbf: seconds - 5,
  'cluster.io': { namespace: 'tour', serviceaccount: { name: 'robot', uid: 'u1' } },
};

async function sign(
  payload: object,
  key = ecdsa,
  header: Record<string, string | undefined> = {},
): Promise<string> {
  const jwk = { ...key.export({ format: 'jwk' }), kid: keyIdFromKey(key), alg: algorithmFromKey(key) };
  const fields = { typ: 'JWT', ...header };
  const signed = await jose.JWS.createSign({ format: 'compact', fields }, await jose.JWK.asKey(jwk))
    .update(JSON.stringify(payload))
    .final();
  return String(signed);
}

// The account lookup has its tests on a real store; here nothing may ask for it.
const cacheTtl = { success: 1000, failure: 1000 };
const noStorage = {} as Storage;
const ages = { valid: 0, stale: 0 };
const metrics = { valid: () => void ages.valid++, stale: () => void ages.stale++ };
const authenticator = () =>
  createServiceAccountAuthenticator({
    keys,
    issuer,
    apiAudiences: ['api'],
    storage: noStorage,
    lookup: false,
    cacheTtl,
    clock: Date.now,
    metrics,
  });

for (const [name, key] of [
  ['ECDSA', ecdsa],
  ['RSA', rsa],
] as const) {
  test(`a token signed with an ${name} key is accepted`, async () => {
    const decision = await authenticator().authenticate(await sign(claims, key), ['api', 'other'], call);
    assert.deepEqual(decision, {
      kind: 'authenticated',
      audiences: ['api'],
      user: {
        username: 'system:serviceaccount:tour:robot',
        uid: 'u1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:tour'],
        extra: {},
      },
    });
  });
}

for (const { what, warnafter, counted, note } of [
  {
    what: 'a token that was not extended',
    warnafter: undefined,
    counted: { valid: 0, stale: 0 },
    note: false,
  },
  { what: 'an extended token', warnafter: seconds + 60, counted: { valid: 1, stale: 0 }, note: false },
  {
    what: 'an extended token past its requested end',
    warnafter: seconds - 60,
    counted: { valid: 0, stale: 1 },
    note: true,
  },
])
  test(`${what} is valid, and counted by its age${note ? ' with an audit annotation' : ''}`, async () => {
    Object.assign(ages, { valid: 0, stale: 0 });
    const aged = { ...claims, 'cluster.io': { ...claims['cluster.io'], warnafter } };
    const decision = await authenticator().authenticate(await sign(aged), ['api'], call);
    assert.equal(decision.kind, 'authenticated');
    assert.deepEqual(ages, counted);
    const { auditAnnotations } = decision;
    if (!note) assert.equal(auditAnnotations, undefined);
    else
      assert.match(
        auditAnnotations?.['authentication.cluster.io/stale-token'] ?? '',
        /^subject: system:serviceaccount:tour:robot, seconds after warning threshold: \d+$/,
      );
  });

test('the user of a token bound to a pod has the pod in its extra fields', async () => {
  const bound = { ...claims, 'cluster.io': { ...claims['cluster.io'], pod: { name: 'p', uid: 'u2' } } };
  const decision = await authenticator().authenticate(await sign(bound), ['api'], call);
  assert.deepEqual(decision.kind === 'authenticated' && decision.user.extra, {
    'authentication.cluster.io/pod-name': { values: ['p'] },
    'authentication.cluster.io/pod-uid': { values: ['u2'] },
  });
});

for (const [name, changed, message] of [
  ['has expired', { exp: seconds - 60 }, /expired/],
  ['is not valid yet', { nbf: seconds + 600 }, /not valid yet/],
  ['is for other audiences', { aud: ['else'] }, /other audiences/],
  ['has the subject of another account', { sub: 'system:serviceaccount:tour:other' }, /subject/],
  ['has no expiry', { exp: undefined }, /claims are not complete/],
  ['names no service account', { 'cluster.io': { namespace: 'tour' } }, /claims are not complete/],
] as const) {
  test(`a token that ${name} is refused`, async () => {
    const decision = await authenticator().authenticate(await sign({ ...claims, ...changed }), ['api'], call);
    assert.equal(decision.kind, 'rejected');
    assert.match(decision.kind === 'rejected' ? decision.error : '', message);
  });
}

test('tokens of other keys and modified tokens are refused', async () => {
  const good = await sign(claims);
  const [head, , signature] = good.split('.');
  const changed = Buffer.from(JSON.stringify({ ...claims, aud: ['api', 'more'] })).toString('base64url');
  for (const token of [await sign(claims, foreign), `${head}.${changed}.${signature}`]) {
    assert.equal((await authenticator().authenticate(token, ['api'], call)).kind, 'rejected');
  }
});

test('tokens without a signature, signed with the public key as a secret, or with an embedded key are refused', async () => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'none', kid: keyIdFromKey(ecdsa) })}.${encode(claims)}.`;
  const secret = await jose.JWK.asKey({
    kty: 'oct',
    k: Buffer.from(pem(ecdsa)).toString('base64url'),
    kid: keyIdFromKey(ecdsa),
    alg: 'HS256',
  });
  const symmetric = String(
    await jose.JWS.createSign({ format: 'compact' }, secret).update(JSON.stringify(claims)).final(),
  );
  const embedded = await jose.JWK.asKey({
    ...foreign.export({ format: 'jwk' }),
    kid: keyIdFromKey(ecdsa),
    alg: 'ES256',
  });
  const own = String(
    await jose.JWS.createSign({ format: 'compact', fields: { jwk: embedded.toJSON() } }, embedded)
      .update(JSON.stringify(claims))
      .final(),
  );
  for (const token of [unsigned, symmetric, own]) {
    assert.equal((await authenticator().authenticate(token, ['api'], call)).kind, 'rejected');
  }
});

const held = {
  iss: 'cluster.io/serviceaccount',
  sub: 'system:serviceaccount:tour:robot',
  'cluster.io/serviceaccount/namespace': 'tour',
  'cluster.io/serviceaccount/secret.name': 'robot-token',
  'cluster.io/serviceaccount/service-account.name': 'robot',
  'cluster.io/serviceaccount/service-account.uid': 'u1',
};

test('a token of a secret is valid for the API only, and does not expire', async () => {
  const token = await sign(held, rsa);
  const decision = await authenticator().authenticate(token, ['api', 'other'], call);
  assert.deepEqual(
    decision.kind === 'authenticated' && [decision.user.username, decision.user.uid, decision.audiences],
    ['system:serviceaccount:tour:robot', 'u1', ['api']],
  );
  assert.equal((await authenticator().authenticate(token, ['other'], call)).kind, 'rejected');
});

for (const [name, changed, message] of [
  ['names no secret', { 'cluster.io/serviceaccount/secret.name': undefined }, /claims are not complete/],
  ['names no namespace', { 'cluster.io/serviceaccount/namespace': '' }, /claims are not complete/],
  ['names no account', { 'cluster.io/serviceaccount/service-account.name': 1 }, /claims are not complete/],
  [
    'has no uid of its account',
    { 'cluster.io/serviceaccount/service-account.uid': '' },
    /claims are not complete/,
  ],
  ['has no subject', { sub: undefined }, /claims are not complete/],
  ['has the subject of another account', { sub: 'system:serviceaccount:other:robot' }, /subject/],
] as const)
  test(`a token of a secret that ${name} is refused`, async () => {
    const decision = await authenticator().authenticate(await sign({ ...held, ...changed }), ['api'], call);
    assert.match(decision.kind === 'rejected' ? decision.error : '', message);
  });

test('a token of a secret that is signed with another key is refused', async () => {
  assert.equal(
    (await authenticator().authenticate(await sign(held, foreign), ['api'], call)).kind,
    'rejected',
  );
});

for (const namedCurve of ['P-384', 'P-521'])
  test(`keys on ${namedCurve} verify tokens`, async () => {
    const key = generateKeyPairSync('ec', { namedCurve }).privateKey;
    keys = await readVerificationKeys([pem(ecdsa) + pem(rsa), pem(key)]);
    const decision = await authenticator().authenticate(await sign(claims, key), ['api'], call);
    assert.equal(decision.kind, 'authenticated');
  });

test('a token of another issuer is left to the next authenticator', async () => {
  const others = ['opaque', 'a.b.c', await sign({ ...claims, iss: 'https://other.example' })];
  for (const token of others) {
    assert.deepEqual(await authenticator().authenticate(token, ['api'], call), { kind: 'unknown' });
  }
});

test('a key file without a key is refused', async () => {
  await assert.rejects(readVerificationKeys([pem(rsa), 'nothing']), /no key/);
  assert.equal(keyIdFromKey(createPrivateKey(pem(ecdsa))), keyIdFromKey(ecdsa));
});
