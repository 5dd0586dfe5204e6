import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { keyIdFromKey } from '@binnacle/tokens/testing';
import type { OidcSettings } from './authenticators/oidc/oidc-settings.ts';
import {
  createJwk,
  createTestKey,
  documentListener,
  issuerDocuments,
  type LoopbackServer,
  signToken,
  startLoopbackServer,
  type TestKey,
} from './authenticators/oidc/test-drivers/test-issuer.ts';
import { parseTokenFile } from './authenticators/static-token-file.ts';
import { readVerificationKeys } from './authenticators/verification-keys.ts';
import { createTokenReview } from './token-review.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };
const now = 1_700_000_000;
const accountIssuer = 'https://binnacle.example';
const [oidcKey, foreignKey, unsignedKey] = [createTestKey('oidc'), createTestKey('oidc'), createTestKey('x')];
const accountKey = withKeyId(createTestKey(undefined));
const staticTokens = parseTokenFile('static-token,carol,u-carol,ops');
const foreignAccountKey: TestKey = { ...createTestKey(undefined), id: accountKey.id };
let provider: LoopbackServer;
let review: ReturnType<typeof createTokenReview>;

before(async () => {
  provider = await startLoopbackServer();
  provider.serve(documentListener(issuerDocuments(provider.url, [createJwk(oidcKey)])));
  const pem = String(accountKey.publicKey.export({ type: 'spki', format: 'pem' }));
  // Accounts are not looked up here, which has its tests on a real store.
  const noStorage = {} as Storage;
  review = createTokenReview({
    staticTokens: () => staticTokens,
    serviceAccounts: {
      keys: await readVerificationKeys([pem]),
      issuer: accountIssuer,
      lookup: false,
      storage: noStorage,
    },
    oidc: oidcSettings(),
    audiences: ['api'],
    secret: () => Buffer.alloc(32),
    tokenSuccessCacheTtl: 10_000,
    tokenFailureCacheTtl: 2_000,
    log: silentLogger,
    metrics: createMetrics({ process: false }),
    clock: () => now * 1000,
  });
});
after(async () => {
  await review[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

function withKeyId(key: TestKey): TestKey {
  return { ...key, id: keyIdFromKey(key.publicKey) };
}

function oidcSettings(): OidcSettings {
  return {
    issuer: provider.url,
    clientId: 'binnacle',
    usernameClaim: 'sub',
    usernamePrefix: 'oidc:',
    groupsClaim: 'groups',
    groupsPrefix: 'oidc:',
    requiredClaims: [],
    ca: provider.ca,
    algorithms: ['RS256'],
  };
}

/** One way to sign in with a signed token: what is good, and who signs it. */
interface Method {
  readonly name: string;
  readonly claims: () => object;
  readonly key: TestKey;
  /** Has the id of `key`, and is another one. */
  readonly foreign: TestKey;
  readonly user: { readonly username: string; readonly uid: string; readonly groups: readonly string[] };
  /** The audience claim that is good, and one that is not. */
  readonly otherAudience: object;
  readonly texts: {
    readonly audience: string;
    readonly signature: string;
    /** Where the algorithm is not one that is accepted. */
    readonly algorithm: string;
    /** Where the header cannot be read. */
    readonly malformed: string;
  };
}

const unsignedAccount = 'the token is not signed by a key of this server, or its claims are not complete';
const methods: readonly Method[] = [
  {
    name: 'OpenID Connect',
    claims: () => ({ iss: provider.url, aud: 'binnacle', sub: 'alice', groups: ['devs'], exp: now + 600 }),
    key: oidcKey,
    foreign: foreignKey,
    user: { username: 'oidc:alice', uid: '', groups: ['oidc:devs'] },
    otherAudience: { aud: ['other'] },
    texts: {
      audience: 'the token is for another client',
      signature: 'the token is not signed by a key of its issuer',
      algorithm: 'the token is signed with an algorithm that is not accepted',
      malformed: 'the token is malformed',
    },
  },
  {
    name: 'service account',
    claims: () => ({
      iss: accountIssuer,
      sub: 'system:serviceaccount:tour:robot',
      aud: ['api'],
      exp: now + 600,
      'cluster.io': { namespace: 'tour', serviceaccount: { name: 'robot', uid: 'u1' } },
    }),
    key: accountKey,
    foreign: foreignAccountKey,
    user: {
      username: 'system:serviceaccount:tour:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:tour'],
    },
    otherAudience: { aud: ['other'] },
    texts: {
      audience: 'the token is for other audiences',
      signature: unsignedAccount,
      algorithm: unsignedAccount,
      malformed: unsignedAccount,
    },
  },
];

/** The text of a token that no authenticator takes for its own. */
const none = 'invalid bearer token';

function splitParts(token: string): [head: string, body: string, signature: string] {
  const [head = '', body = '', signature = ''] = token.split('.');
  return [head, body, signature];
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** Tokens that a method accepts. */
const good: [title: string, changed: object][] = [
  ['valid', {}],
  ['expired within the leeway', { exp: now - 9 }],
  ['valid from soon on, within the leeway', { nbf: now + 9 }],
];

/** Tokens that a method refuses, and the text that a caller sees. */
const bad: [title: string, token: (method: Method) => string, error: (method: Method) => string][] = [
  [
    'expired',
    ({ claims, key }) => signToken({ ...claims(), exp: now - 11 }, key),
    () => 'the token has expired',
  ],
  [
    'valid from soon on, beyond the leeway',
    ({ claims, key }) => signToken({ ...claims(), nbf: now + 11 }, key),
    () => 'the token is not valid yet',
  ],
  [
    'for another audience',
    ({ claims, key, otherAudience }) => signToken({ ...claims(), ...otherAudience }, key),
    ({ texts }) => texts.audience,
  ],
  [
    'of an issuer that is not known',
    ({ claims, key }) => signToken({ ...claims(), iss: 'https://other.example' }, key),
    () => none,
  ],
  ['signed by another key of the same id', ({ claims, foreign }) => signToken(claims(), foreign), signature],
  ['signed by a key that is not known', ({ claims }) => signToken(claims(), unsignedKey), signature],
  ['alg none', ({ claims, key }) => signToken(claims(), key, { alg: 'none' }), algorithm],
  [
    'alg none with the signature of a good token',
    ({ claims, key }) => {
      const [, body, mark] = splitParts(signToken(claims(), key));
      return `${encoded(JSON.stringify({ alg: 'none', kid: key.id }))}.${body}.${mark}`;
    },
    algorithm,
  ],
  ...['HS256', 'HS384', 'HS512'].map((alg): (typeof bad)[number] => [
    `signed with the public key as the secret of ${alg}`,
    ({ claims, key }) => signToken(claims(), key, { alg }),
    algorithm,
  ]),
  ['oversized', ({ claims, key }) => signToken({ ...claims(), more: 'x'.repeat(16_384) }, key), () => none],
  [
    'changed after it was signed',
    ({ claims, key }) => {
      const [head, , mark] = splitParts(signToken(claims(), key));
      return `${head}.${encoded(JSON.stringify({ ...claims(), exp: now + 9999 }))}.${mark}`;
    },
    signature,
  ],
  ['without its signature', ({ claims, key }) => signToken(claims(), key).replace(/[^.]+$/, ''), signature],
  [
    'without its last part',
    ({ claims, key }) => signToken(claims(), key).replace(/\.[^.]+$/, ''),
    () => none,
  ],
  ['with a part more', ({ claims, key }) => `${signToken(claims(), key)}.x`, () => none],
  ['with a payload that is no JSON', ({ key }) => signToken('{', key), () => none],
  ['with a payload that is a number', ({ key }) => signToken('1', key), () => none],
  ['with a payload that is null', ({ key }) => signToken('null', key), () => none],
  ['without an expiry', ({ claims, key }) => signToken({ ...claims(), exp: undefined }, key), incomplete],
  ['with an expiry in words', ({ claims, key }) => signToken({ ...claims(), exp: 'soon' }, key), incomplete],
  ['with a header that is no JSON', withHeader('{'), malformed],
  ['with a header that is null', withHeader('null'), malformed],
  ['with a header that is a list', withHeader('[]'), malformed],
  ['with an empty header', withHeader('{}'), malformed],
];

function signature({ texts }: Method): string {
  return texts.signature;
}

function algorithm({ texts }: Method): string {
  return texts.algorithm;
}

function malformed({ texts }: Method): string {
  return texts.malformed;
}

function incomplete({ name }: Method): string {
  return name === 'OpenID Connect' ? 'the times of the token are not complete' : unsignedAccount;
}

function withHeader(header: string): (method: Method) => string {
  return ({ claims, key }) => {
    const [, body, mark] = splitParts(signToken(claims(), key));
    return `${encoded(header)}.${body}.${mark}`;
  };
}

const refusal = (error: string) => ({
  authenticated: false,
  audiences: [],
  error,
  undecided: false,
  auditAnnotations: {},
});
const acceptance = (user: Method['user']) => ({
  authenticated: true,
  user: { ...user, extra: {} },
  audiences: ['api'],
  error: '',
  undecided: false,
  auditAnnotations: {},
  reusableMs: 10_000,
});

for (const method of methods) {
  for (const [title, changed] of good)
    test(`${method.name}: a token that is ${title} is accepted`, async () => {
      const token = signToken({ ...method.claims(), ...changed }, method.key);
      assert.deepEqual(await review.review({ token, audiences: [] }, call), acceptance(method.user));
    });
  for (const [title, createToken, createError] of bad)
    test(`${method.name}: a token is not accepted: ${title}`, async () => {
      const request = { token: createToken(method), audiences: [] };
      assert.deepEqual(await review.review(request, call), refusal(createError(method)));
    });
  test(`${method.name}: a valid token is not accepted for other audiences`, async () => {
    const token = signToken(method.claims(), method.key);
    const response = await review.review({ token, audiences: ['elsewhere'] }, call);
    assert.deepEqual(response, refusal('the token is for other audiences'));
  });
  test(`${method.name}: the answer has the requested audiences that the token has`, async () => {
    const token = signToken(method.claims(), method.key);
    const response = await review.review({ token, audiences: ['elsewhere', 'api'] }, call);
    assert.deepEqual(response, acceptance(method.user));
  });
}

test('tokens of one method with the issuer of another are not accepted', async () => {
  const [oidc, account] = methods.map(method => method.claims());
  const swapped = [
    signToken({ ...oidc, iss: accountIssuer, aud: ['api', 'binnacle'] }, oidcKey),
    signToken({ ...account, iss: provider.url, aud: ['api', 'binnacle'] }, accountKey),
    signToken({ ...account, aud: ['api', 'binnacle'] }, { ...oidcKey, id: accountKey.id }),
    signToken({ ...oidc, aud: ['api', 'binnacle'] }, { ...accountKey, id: oidcKey.id }),
  ];
  for (const token of swapped)
    assert.equal((await review.review({ token, audiences: [] }, call)).authenticated, false);
});

const opaque: [title: string, token: string, audiences: string[]][] = [
  ['of other audiences', 'static-token', ['elsewhere']],
  ['unknown', 'static-tokem', []],
  ['cut short', 'static-toke', []],
  ['longer', 'static-token ', []],
  ['in other letters', 'STATIC-TOKEN', []],
  ['empty', '', []],
  ['dots alone', '..', []],
  ['very long', 'x'.repeat(1_000_000), []],
  ['control characters', '\u0000.\u0001.\n', []],
  ['beyond ASCII', 'tök.ên.ñ', []],
];
test('a static token is accepted', async () => {
  const response = await review.review({ token: 'static-token', audiences: [] }, call);
  assert.deepEqual(response, acceptance({ username: 'carol', uid: 'u-carol', groups: ['ops'] }));
});
for (const [title, token, audiences] of opaque)
  test(`an opaque token is not accepted: ${title}`, async () => {
    assert.deepEqual(await review.review({ token, audiences }, call), refusal(none));
  });
