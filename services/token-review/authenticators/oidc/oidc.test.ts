import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import type { Decision } from '../authenticator.ts';
import { parseKeySet, type SigningKey } from './key-set.ts';
import { createOidcAuthenticator } from './oidc.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { keyFormOf } from './signing-algorithms.ts';
import { createJwk, createTestKey, signToken, type TestKey } from './test-drivers/test-issuer.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };
const everything = [...keyFormOf.keys()];
const seconds = Math.floor(Date.now() / 1000);
const settings: OidcSettings = {
  issuer: 'https://issuer.example',
  clientId: 'binnacle',
  usernameClaim: 'sub',
  usernamePrefix: 'https://issuer.example#',
  groupsClaim: 'groups',
  groupsPrefix: 'oidc:',
  requiredClaims: [],
  ca: undefined,
  algorithms: everything,
};
const claims = { iss: settings.issuer, aud: 'binnacle', sub: 'u1', groups: ['a'], exp: seconds + 600 };
const rsa = createTestKey('rsa');
const p256 = createTestKey('p256', 'prime256v1');
const p384 = createTestKey('p384', 'secp384r1');
const p521 = createTestKey('p521', 'secp521r1');
const next = createTestKey('next');
const foreign = createTestKey('rsa');
const accepted = {
  kind: 'authenticated',
  user: { username: 'https://issuer.example#u1', uid: '', groups: ['oidc:a'], extra: {} },
  audiences: ['api'],
};
const rejected = (error: string) => ({ kind: 'rejected', error });
const unsigned = rejected('the token is not signed by a key of its issuer');
const refusedAlgorithm = rejected('the token is signed with an algorithm that is not accepted');
const unknown = { kind: 'unknown' };
const undecided = { kind: 'undecided' };

/** Keys as the provider gives them: at first, and when it is asked for newer ones; undefined: it is down. */
interface Given {
  readonly first?: readonly TestKey[] | undefined;
  readonly later?: readonly TestKey[] | undefined;
  readonly changed?: Partial<OidcSettings>;
}

async function keySet(keys: readonly TestKey[]): Promise<readonly SigningKey[]> {
  return await parseKeySet({ keys: keys.map(key => createJwk(key)) }, everything);
}

async function authenticatorWith({ first, later, changed }: Given) {
  const seen = { refreshes: 0, undecided: 0 };
  const source = {
    keys: first && (await keySet(first)),
    async refresh(): Promise<boolean> {
      seen.refreshes++;
      if (later) source.keys = await keySet(later);
      return later !== undefined;
    },
  };
  const authenticator = createOidcAuthenticator({
    settings: { ...settings, ...changed },
    keys: source,
    apiAudiences: ['api'],
    cacheTtl: { success: 1000, failure: 1000 },
    metrics: { undecided: () => seen.undecided++ },
    clock: Date.now,
  });
  return { authenticator, seen };
}

async function decide(token: string, given: Given = { first: [rsa, p256, p384, p521] }): Promise<Decision> {
  const { authenticator } = await authenticatorWith(given);
  return await authenticator.authenticate(token, ['api', 'other'], call);
}

const keyOf = { RSA: rsa, 'P-256': p256, 'P-384': p384, 'P-521': p521 };
for (const [algorithm, form] of keyFormOf) {
  test(`a token signed with ${algorithm} is accepted`, async () => {
    assert.deepEqual(await decide(signToken(claims, keyOf[form], { alg: algorithm })), accepted);
  });
  test(`a token signed with ${algorithm} is refused if other algorithms are configured`, async () => {
    const algorithms = everything.filter(other => other !== algorithm);
    const token = signToken(claims, keyOf[form], { alg: algorithm });
    assert.deepEqual(
      await decide(token, { first: [keyOf[form]], changed: { algorithms } }),
      refusedAlgorithm,
    );
  });
}

const good = signToken(claims, rsa);
const [head = '', body = '', signature = ''] = good.split('.');
const encoded = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const tokens: [title: string, token: string, decision: object][] = [
  ['no signature, alg none', signToken(claims, rsa, { alg: 'none' }), refusedAlgorithm],
  ['HMAC with the public key', signToken(claims, rsa, { alg: 'HS256' }), refusedAlgorithm],
  ['the algorithm in other letters', signToken(claims, rsa, { alg: 'rs256' }), refusedAlgorithm],
  ["a key of the same id that is not the provider's", signToken(claims, foreign), unsigned],
  ['a key that the token brings along', signToken(claims, foreign, { jwk: createJwk(foreign) }), unsigned],
  ['an algorithm of another key type', signToken(claims, rsa, { kid: 'p256' }), unsigned],
  ['the curve of another key', signToken(claims, p256, { alg: 'ES256', kid: 'p384' }), unsigned],
  ['a signature cut short', `${head}.${body}.${signature.slice(0, -8)}`, unsigned],
  ['an empty signature', `${head}.${body}.`, unsigned],
  ['a payload that was changed', `${head}.${encoded({ ...claims, sub: 'u2' })}.${signature}`, unsigned],
  ['a header that was changed', `${encoded({ alg: 'RS256', kid: 'rsa' })}.${body}.${signature}`, unsigned],
  ['a critical extension', signToken(claims, rsa, { crit: ['b64'], b64: false }), unsigned],
  ['a header that is no object', `${encoded('[]')}.${body}.${signature}`, rejected('the token is malformed')],
  ['a header that is no JSON', `${encoded('{')}.${body}.${signature}`, rejected('the token is malformed')],
  ['a key id that is no text', signToken(claims, rsa, { kid: 1 }), rejected('the token is malformed')],
  ['an expiry in the past', signToken({ ...claims, exp: 1 }, rsa), rejected('the token has expired')],
  ['no key id', signToken(claims, rsa, { kid: undefined }), accepted],
  [
    "an expired token of a key that is not the provider's",
    signToken({ ...claims, exp: 1 }, foreign),
    unsigned,
  ],
];
for (const [title, token, decision] of tokens)
  test(`a token with ${title}`, async () => assert.deepEqual(await decide(token), decision));

const strange: [title: string, token: string][] = [
  ['opaque', 'opaque'],
  ['two parts', `${head}.${body}`],
  ['four parts', `${good}.${signature}`],
  ['other letters than those of base64url', `${head}.${body}=.${signature}`],
  ['a line break', `${good}\n`],
  ['a payload that is no JSON', signToken('{"iss":', rsa)],
  ['a payload that is a list', signToken('[]', rsa)],
  [
    'a payload with broken letters',
    `${head}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.${signature}`,
  ],
  ['another issuer', signToken({ ...claims, iss: 'https://other.example' }, rsa)],
  ['no issuer', signToken({ ...claims, iss: undefined }, rsa)],
  ['more than 16 KiB', signToken({ ...claims, more: 'x'.repeat(16 * 1024) }, rsa)],
];
for (const [title, token] of strange)
  test(`another kind of token is left to the next authenticator: ${title}`, async () => {
    const { authenticator, seen } = await authenticatorWith({ first: [rsa] });
    assert.deepEqual(await authenticator.authenticate(token, ['api'], call), unknown);
    assert.deepEqual(seen, { refreshes: 0, undecided: 0 });
  });

test('no refusal contains the token', async () => {
  for (const [, token] of tokens) {
    const decision = await decide(token);
    const error = decision.kind === 'rejected' ? decision.error : '';
    for (const part of token.split('.').filter(text => text !== '')) assert.ok(!error.includes(part));
  }
});

test('a token is accepted for its audiences of the API, and for no others', async () => {
  const { authenticator } = await authenticatorWith({ first: [rsa] });
  assert.deepEqual(
    await authenticator.authenticate(good, ['other'], call),
    rejected('the token is for other audiences'),
  );
  assert.deepEqual(
    await authenticator.authenticate(good, ['binnacle'], call),
    rejected('the token is for other audiences'),
  );
});

const withoutId = (key: TestKey) => signToken(claims, key, { kid: undefined });
const refreshCases: [title: string, given: Given, token: string, decision: object, refreshes: number][] = [
  ['a key that is there', { first: [rsa], later: [next] }, good, accepted, 0],
  ['no keys yet', { later: [rsa] }, good, accepted, 1],
  ['no keys, and the provider is down', {}, good, undecided, 1],
  ['a new key', { first: [rsa], later: [rsa, next] }, signToken(claims, next), accepted, 1],
  ['a new key while the provider is down', { first: [rsa] }, signToken(claims, next), undecided, 1],
  [
    'a key that the provider does not know',
    { first: [rsa], later: [rsa] },
    signToken(claims, next),
    unsigned,
    1,
  ],
  ['a bad signature by a known key', { first: [rsa], later: [rsa] }, signToken(claims, foreign), unsigned, 0],
  ['a known key while the provider is down', { first: [rsa] }, good, accepted, 0],
  ['a new key without an id', { first: [rsa], later: [next] }, withoutId(next), accepted, 1],
  ['a key without an id among several', { first: [p256, next, rsa] }, withoutId(rsa), accepted, 0],
  ['a key that was withdrawn', { first: [], later: [next] }, good, unsigned, 1],
];
for (const [title, given, token, decision, refreshes] of refreshCases)
  test(`keys of the provider: ${title}`, async () => {
    const { authenticator, seen } = await authenticatorWith(given);
    assert.deepEqual(await authenticator.authenticate(token, ['api'], call), decision);
    assert.deepEqual(seen, { refreshes, undecided: decision === undecided ? 1 : 0 });
  });
