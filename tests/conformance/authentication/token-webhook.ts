import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import { objectAt } from '../../journeys/setup/json-parts.ts';
import type { ConformanceTests } from '../drivers/conformance-server.ts';
import type { RemoteServices } from './remote-services.ts';
import { bearer, selfReview, whoIs } from './self-review.ts';
import { type EveryMethod, withEveryMethod, withOtherClaims } from './with-every-method.ts';

const whole = {
  uid: 'uid-of-remote-whole',
  groups: ['remote', 'system:authenticated'],
  extra: { 'example.com/key': ['a', 'b'] },
};

async function requestCode({ server }: EveryMethod, token: string): Promise<number> {
  return (await selfReview(server, { headers: bearer(token) })).code;
}

/** The reviews of a token that the service was sent. */
function listReviews({ reviews }: RemoteServices, token: string) {
  return reviews.filter(({ review }) => readSpec(review)['token'] === token);
}

function readSpec(review: JsonObject): JsonObject {
  return objectAt(review, 'spec');
}

/** 2, "TokenReview (authentication webhook)" and what belongs to it. */
export const tokenWebhookTests: ConformanceTests = {
  async '2/TokenReview/apiVersion the answer is of the version of the question'(under) {
    for (const [methods, version] of [
      [await withEveryMethod(under), 'v1beta1'],
      [await withOtherClaims(under), 'v1'],
    ] as const) {
      assert.equal(await requestCode(methods, 'remote-whole'), 201);
      assert.equal(await requestCode(methods, 'remote-other-version'), 401);
      const versions = listReviews(methods.remote, 'remote-whole').map(({ review }) => review['apiVersion']);
      assert.ok(versions.includes(`authentication.cluster.io/${version}`), JSON.stringify(versions));
    }
  },

  async '2/TokenReview/spec.token the service gets the token, from a client it knows'(under) {
    const methods = await withEveryMethod(under);
    await requestCode(methods, 'opaque.token/of~anybody');
    const [asked] = listReviews(methods.remote, 'opaque.token/of~anybody');
    assert.equal(asked?.client, 'api-server');
    assert.equal(asked.review['kind'], 'TokenReview');
  },

  async '2/TokenReview/spec.audiences the audience must be one of the server’s'(under) {
    const methods = await withEveryMethod(under);
    assert.equal(await requestCode(methods, 'remote-audiences'), 201);
    assert.equal(await requestCode(methods, 'remote-other-audience'), 401);
    const answer = await methods.server.expect(
      201,
      'POST',
      '/apis/authentication.cluster.io/v1/tokenreviews',
      { body: { spec: { token: 'remote-audiences', audiences: ['first', 'second'] } } },
    );
    assert.deepEqual(answer.at('status', 'audiences'), ['first']);
  },

  async '2/TokenReview/status.authenticated it decides'(under) {
    const methods = await withEveryMethod(under);
    assert.equal(await requestCode(methods, 'remote-name-only'), 201);
    assert.equal(await requestCode(methods, 'remote-unheard-of'), 401);
  },

  async '2/TokenReview/status.user the name is required, the rest is not'(under) {
    const methods = await withEveryMethod(under);
    const user = await whoIs(methods.server, { headers: bearer('remote-whole') });
    assert.deepEqual(user, { username: 'remote-whole', ...whole });
    const named = await whoIs(methods.server, { headers: bearer('remote-name-only') });
    assert.deepEqual(named, { username: 'remote-name-only', groups: ['system:authenticated'] });
    assert.equal(await requestCode(methods, 'remote-nameless'), 401);
  },

  async '2/TokenReview/status.error it does not count where the token is good'(under) {
    const methods = await withEveryMethod(under);
    assert.equal(await requestCode(methods, 'remote-with-error'), 201);
    const refused = await selfReview(methods.server, { headers: bearer('remote-refused') });
    assert.equal(refused.code, 401);
    assert.equal(refused.at('message'), 'Unauthorized');
  },

  async '2/TokenReview/a the spec of the answer does not count'(under) {
    // The service answers every review with the spec of another token.
    const methods = await withEveryMethod(under);
    const { username } = await whoIs(methods.server, { headers: bearer('remote-whole') });
    assert.equal(username, 'remote-whole');
  },

  async '2/Methods/webhook token the service of the configuration file is asked'(under) {
    const methods = await withEveryMethod(under);
    const { username } = await whoIs(methods.server, { headers: bearer('remote-name-only') });
    assert.equal(username, 'remote-name-only');
    assert.ok(listReviews(methods.remote, 'remote-name-only').length > 0);
  },

  async '2/Methods/webhook token one that the service refuses later is good no longer'(under) {
    const methods = await withOtherClaims(under);
    assert.equal(await requestCode(methods, 'remote-revocable'), 201);
    methods.remote.revoke('remote-revocable');
    await until('it is refused', async () => (await requestCode(methods, 'remote-revocable')) === 401);
  },

  async '2/Errors/remote service refuses 401'(under) {
    assert.equal(await requestCode(await withEveryMethod(under), 'remote-refused'), 401);
  },

  async '2/Limits/webhook token cache the service is not asked for each request'(under) {
    const methods = await withEveryMethod(under);
    for (let index = 0; index < 10; index++)
      assert.equal(await requestCode(methods, 'remote-with-error'), 201);
    const asked = listReviews(methods.remote, 'remote-with-error');
    // Each of two pods may ask before it hears of the other's decision.
    assert.ok(asked.length >= 1 && asked.length <= 2, `${asked.length} reviews`);
  },

  async '2/Versioning/TokenReview v1beta1 unless v1 is chosen'(under) {
    const versionsSeen = async (methods: EveryMethod, token: string) => {
      await requestCode(methods, token);
      return listReviews(methods.remote, token).map(({ review }) => review['apiVersion']);
    };
    assert.deepEqual(await versionsSeen(await withEveryMethod(under), 'version-by-default'), [
      'authentication.cluster.io/v1beta1',
    ]);
    assert.deepEqual(await versionsSeen(await withOtherClaims(under), 'version-chosen'), [
      'authentication.cluster.io/v1',
    ]);
  },
};
