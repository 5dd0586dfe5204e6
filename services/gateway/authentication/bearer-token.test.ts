import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { findAuthorization, parseBearerToken, readAcceptedToken } from './bearer-token.ts';

const read: readonly (readonly [what: string, rawHeaders: readonly string[], token: string | undefined])[] = [
  ['no header', ['Host', 'h'], undefined],
  ['a token', ['Host', 'h', 'Authorization', 'Bearer abc'], 'abc'],
  ['a static token with a comma', ['Authorization', 'Bearer a,b'], 'a,b'],
  ['any case', ['AUTHORIZATION', 'bEaReR abc'], 'abc'],
  ['spaces around', ['authorization', 'Bearer   abc  '], 'abc'],
  ['a scheme without a token', ['Authorization', 'Bearer'], undefined],
  ['a scheme and spaces', ['Authorization', 'Bearer  '], undefined],
  ['another scheme', ['Authorization', 'Basic YTpi'], undefined],
  ['another scheme with parameters', ['Authorization', 'Digest username="a", realm="b"'], undefined],
];
for (const [what, rawHeaders, token] of read)
  test(`the token of ${what}`, () => assert.equal(parseBearerToken(findAuthorization(rawHeaders)), token));

const malformed: readonly (readonly string[])[] = [
  ['Authorization', ''],
  ['Authorization', 'Bearer a b'],
  ['Authorization', 'Bearer a, Bearer b'],
  ['Authorization', 'Bearer\ta'],
  ['Authorization', 'Bearer a\tb'],
  ['Authorization', 'abc'],
  ['Authorization', 'Basic'],
  ['Authorization', 'Bea/rer abc'],
  ['Authorization', ': abc'],
  ['Authorization', 'Bearer a', 'authorization', 'Bearer a'],
  ['Authorization', 'Basic YTpi', 'Host', 'h', 'AUTHORIZATION', 'Bearer a'],
];
for (const rawHeaders of malformed)
  test(`${JSON.stringify(rawHeaders)} is 401`, () => {
    assert.throws(
      () => parseBearerToken(findAuthorization(rawHeaders)),
      (error: unknown) => error instanceof StatusError && error.code === 401,
    );
  });

test('a token that is not accepted is a plain 401, whatever the error of token-review', async () => {
  const texts = ['', 'invalid bearer token', 'the token has expired', 'the token is for another client'];
  for (const error of texts) {
    const answer = Promise.resolve({
      authenticated: false,
      user: undefined,
      audiences: [],
      error,
      undecided: false,
      auditAnnotations: {},
    });
    await assert.rejects(
      readAcceptedToken(answer),
      (thrown: unknown) =>
        thrown instanceof StatusError &&
        thrown.code === 401 &&
        thrown.message === 'Unauthorized' &&
        thrown.details === undefined,
    );
  }
});
