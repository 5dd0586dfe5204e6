import assert from 'node:assert/strict';
import { until } from '../../journeys/api-server.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { bearer, selfReview, whoIs } from './self-review.ts';
import { type EveryMethod, withEveryMethod, withOtherClaims } from './with-every-method.ts';

/** A server that has the keys of the provider. */
async function connected(methods: Promise<EveryMethod>): Promise<EveryMethod> {
  const { server, idToken, ...more } = await methods;
  const tokens = [idToken(), idToken({ email: 'ida@example.com' }, { algorithm: 'ES256' })];
  await until('the keys of the provider are there', async () => {
    for (const token of tokens)
      if ((await selfReview(server, { headers: bearer(token) })).code === 201) return true;
    return false;
  });
  return { server, idToken, ...more };
}

async function requestCode(server: ConformanceServer, token: string): Promise<number> {
  return (await selfReview(server, { headers: bearer(token) })).code;
}

/** 2, "OpenID Connect flags". */
export const openIdConnectTests: ConformanceTests = {
  async '2/OpenID Connect/--oidc-issuer-url tokens of another issuer are refused'(under) {
    const { server, idToken } = await connected(withEveryMethod(under));
    assert.equal(await requestCode(server, idToken()), 201);
    assert.equal(await requestCode(server, idToken({ iss: 'https://127.0.0.1:1' })), 401);
  },

  async '2/OpenID Connect/--oidc-client-id the audience must hold it'(under) {
    const { server, idToken } = await connected(withEveryMethod(under));
    assert.equal(await requestCode(server, idToken({ aud: ['other', 'conformance'] })), 201);
    for (const aud of ['other', ['other'], []])
      assert.equal(await requestCode(server, idToken({ aud })), 401);
  },

  async '2/OpenID Connect/--oidc-username-claim sub with the issuer before it, or another claim'(under) {
    const one = await connected(withEveryMethod(under));
    const { username } = await whoIs(one.server, { headers: bearer(one.idToken()) });
    assert.equal(username, `${one.remote.url}#ida`);
    const other = await connected(withOtherClaims(under));
    const token = other.idToken({ email: 'ida@example.com' }, { algorithm: 'ES256' });
    const { username: mail } = await whoIs(other.server, { headers: bearer(token) });
    assert.equal(mail, 'mail:ida@example.com');
    const unverified = { email: 'ida@example.com', email_verified: false };
    assert.equal(await requestCode(other.server, other.idToken(unverified, { algorithm: 'ES256' })), 401);
    assert.equal(
      await requestCode(other.server, other.idToken({}, { algorithm: 'ES256' })),
      401,
      'no such claim',
    );
  },

  async '2/OpenID Connect/--oidc-username-prefix the given one, or the issuer'(under) {
    const { server, idToken } = await connected(withOtherClaims(under));
    const token = idToken({ email: 'eve@example.com' }, { algorithm: 'ES256' });
    assert.equal((await whoIs(server, { headers: bearer(token) }))['username'], 'mail:eve@example.com');
  },

  async '2/OpenID Connect/--oidc-groups-claim an array of texts'(under) {
    const { server, idToken } = await connected(withEveryMethod(under));
    const { groups } = await whoIs(server, { headers: bearer(idToken({ groups: ['devs', 'qa'] })) });
    assert.deepEqual(groups, ['oidc:devs', 'oidc:qa', 'system:authenticated']);
    assert.equal(await requestCode(server, idToken({ groups: [1] })), 401);
    assert.equal(await requestCode(server, idToken({ groups: { devs: true } })), 401);
  },

  async '2/OpenID Connect/--oidc-groups-prefix no group of the provider can be one of the system'(under) {
    const { server, idToken } = await connected(withEveryMethod(under));
    const { groups } = await whoIs(server, { headers: bearer(idToken({ groups: ['system:masters'] })) });
    assert.deepEqual(groups, ['oidc:system:masters', 'system:authenticated']);
  },

  async '2/OpenID Connect/--oidc-required-claim without it there is no user'(under) {
    const { server, idToken } = await connected(withEveryMethod(under));
    assert.equal(await requestCode(server, idToken({ department: 'sea' })), 201);
    for (const department of ['land', ['sea'], null])
      assert.equal(await requestCode(server, idToken({ department })), 401, JSON.stringify(department));
  },

  async '2/OpenID Connect/--oidc-ca-file the provider is trusted by it'(under) {
    const { server, remote, idToken } = await connected(withEveryMethod(under));
    assert.equal(await requestCode(server, idToken()), 201);
    assert.ok(
      remote.keyFetches() > 0,
      'the keys came over TLS from a provider with a certificate of its own',
    );
  },

  async '2/OpenID Connect/--oidc-signing-algs RS256 alone, or those that are named'(under) {
    const one = await connected(withEveryMethod(under));
    assert.equal(await requestCode(one.server, one.idToken({}, { algorithm: 'ES256' })), 401);
    const other = await connected(withOtherClaims(under));
    const claims = { email: 'ida@example.com' };
    assert.equal(await requestCode(other.server, other.idToken(claims, { algorithm: 'ES256' })), 201);
    assert.equal(await requestCode(other.server, other.idToken(claims)), 401);
  },

  async '2/OpenID Connect/a the provider is not asked for each request'(under) {
    const { server, remote, idToken } = await connected(withEveryMethod(under));
    const before = remote.keyFetches();
    for (let index = 0; index < 20; index++)
      assert.equal(await requestCode(server, idToken({ sub: `user-${index}` })), 201);
    // Other servers of the run may fetch them meanwhile; once for each request would be far more.
    assert.ok(remote.keyFetches() - before < 15);
  },
};
