import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OidcSettings } from './oidc-settings.ts';
import { findRefusal, userFrom } from './token-claims.ts';

const now = 1_700_000_000;
const settings: OidcSettings = {
  issuer: 'https://issuer.example',
  clientId: 'binnacle',
  usernameClaim: 'sub',
  usernamePrefix: '',
  groupsClaim: 'groups',
  groupsPrefix: '',
  requiredClaims: [],
  ca: undefined,
  algorithms: ['RS256'],
};
const good = { iss: settings.issuer, aud: 'binnacle', sub: 'u1', exp: now + 600 };
const requiring = { requiredClaims: [{ claim: 'hd', value: 'example.org' }] };

const times = 'the times of the token are not complete';
const claimCases: [
  title: string,
  changed: object,
  refusal?: string | undefined,
  settings?: Partial<OidcSettings>,
][] = [
  ['the claims that are needed', {}],
  ['another issuer', { iss: 'https://other.example' }, 'the token is of another issuer'],
  ['an issuer with a slash more', { iss: `${settings.issuer}/` }, 'the token is of another issuer'],
  ['the client among others', { aud: ['other', 'binnacle'] }],
  ['another client', { aud: 'other' }, 'the token is for another client'],
  ['other clients', { aud: ['other', 'binnacle2'] }, 'the token is for another client'],
  ['a client that only begins so', { aud: 'binnacle ' }, 'the token is for another client'],
  ['no audience', { aud: undefined }, 'the token is for another client'],
  ['an audience that is an object', { aud: { binnacle: true } }, 'the token is for another client'],
  ['no expiry', { exp: undefined }, times],
  ['an expiry in words', { exp: String(now + 600) }, times],
  ['an expiry without end', { exp: Number.POSITIVE_INFINITY }, times],
  ['an expiry within the leeway', { exp: now - 10 }],
  ['an expiry beyond the leeway', { exp: now - 11 }, 'the token has expired'],
  ['a start within the leeway', { nbf: now + 10 }],
  ['a start beyond the leeway', { nbf: now + 11 }, 'the token is not valid yet'],
  ['a start that is no number', { nbf: 'now' }, times],
  ['a start that is null', { nbf: null }, times],
  ['an issue time a little ahead', { iat: now + 300 }],
  ['an issue time far ahead', { iat: now + 301 }, 'the token was issued in the future'],
  ['an issue time that is no number', { iat: {} }, times],
  ['the required claim', { hd: 'example.org' }, undefined, requiring],
  ['no required claim', {}, 'the token does not have the required claim hd', requiring],
  ['another value of it', { hd: 'example.com' }, 'the token does not have the required claim hd', requiring],
  ['a list that has it', { hd: ['example.org'] }, 'the token does not have the required claim hd', requiring],
  [
    'one of two required claims',
    { hd: 'example.org' },
    'the token does not have the required claim tier',
    { requiredClaims: [...requiring.requiredClaims, { claim: 'tier', value: '1' }] },
  ],
  [
    'a required claim that every object inherits',
    {},
    'the token does not have the required claim constructor',
    { requiredClaims: [{ claim: 'constructor', value: '' }] },
  ],
];
for (const [title, changed, refusal, other] of claimCases)
  test(`claims: ${title}`, () => {
    assert.equal(findRefusal({ ...good, ...changed }, { ...settings, ...other }, now), refusal);
  });

const email = { usernameClaim: 'email' };
const noName = 'the token has no user name in the claim sub';
const userCases: [
  title: string,
  claims: object,
  settings: Partial<OidcSettings>,
  expected: string | { readonly username: string; readonly groups: readonly string[] },
][] = [
  ['the subject', {}, {}, { username: 'u1', groups: [] }],
  ['a prefix', {}, { usernamePrefix: 'oidc:' }, { username: 'oidc:u1', groups: [] }],
  ['another claim', { name: 'alice' }, { usernameClaim: 'name' }, { username: 'alice', groups: [] }],
  ['no subject', { sub: undefined }, {}, noName],
  ['an empty subject', { sub: '' }, { usernamePrefix: 'oidc:' }, noName],
  ['a subject that is a number', { sub: 7 }, {}, noName],
  [
    'a claim that every object inherits',
    {},
    { usernameClaim: 'toString' },
    'the token has no user name in the claim toString',
  ],
  ['an email without a word on it', { email: 'a@b.c' }, email, { username: 'a@b.c', groups: [] }],
  ['a verified email', { email: 'a@b.c', email_verified: true }, email, { username: 'a@b.c', groups: [] }],
  ...[false, 'true', null, 1].map((value): (typeof userCases)[number] => [
    `an email of which email_verified is ${JSON.stringify(value)}`,
    { email: 'a@b.c', email_verified: value },
    email,
    'the email of the token is not verified',
  ]),
  ['an email that does not name the user', { email_verified: false }, {}, { username: 'u1', groups: [] }],
  ['groups', { groups: ['a', 'b'] }, {}, { username: 'u1', groups: ['a', 'b'] }],
  ['one group as a text', { groups: 'a' }, {}, { username: 'u1', groups: ['a'] }],
  ['groups that are null', { groups: null }, {}, { username: 'u1', groups: [] }],
  [
    'a prefix of groups',
    { groups: ['a'] },
    { groupsPrefix: 'oidc:' },
    { username: 'u1', groups: ['oidc:a'] },
  ],
  [
    'groups without their flag',
    { groups: ['a'] },
    { groupsClaim: undefined },
    { username: 'u1', groups: [] },
  ],
  [
    'a group that is a number',
    { groups: ['a', 1] },
    {},
    'the claim groups of the token is not a list of groups',
  ],
  ['groups in an object', { groups: { a: 1 } }, {}, 'the claim groups of the token is not a list of groups'],
];
for (const [title, claims, other, expected] of userCases)
  test(`user: ${title}`, () => {
    const user = userFrom({ ...good, ...claims }, { ...settings, ...other });
    assert.deepEqual(user, typeof expected === 'string' ? expected : { uid: '', extra: {}, ...expected });
  });
