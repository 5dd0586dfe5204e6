import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenReviewResponse } from '@binnacle/proto';
import type { AuthorizationMode } from '../settings/authorization-flags.ts';
import { allowsAnonymous, shareReviews } from './authenticate.ts';

const cases: readonly (readonly [
  modes: readonly AuthorizationMode[],
  flag: boolean | undefined,
  expected: boolean,
])[] = [
  [['AlwaysAllow'], undefined, false],
  [['RBAC'], undefined, true],
  [['AlwaysAllow', 'RBAC'], undefined, false],
  [['Node', 'RBAC'], undefined, true],
  [['AlwaysAllow'], true, true],
  [['RBAC'], false, false],
];
for (const [authorizationMode, anonymousAuth, expected] of cases)
  test(`modes ${authorizationMode} and the flag ${anonymousAuth}: anonymous requests are ${expected ? '' : 'not '}allowed`, () => {
    assert.equal(allowsAnonymous({ authorizationMode, anonymousAuth }), expected);
  });

/** A token-review that answers when it is told to. */
function heldReviews() {
  const asked: { readonly token: string; readonly answer: PromiseWithResolvers<TokenReviewResponse> }[] = [];
  const ask = shareReviews({
    review({ token }) {
      const answer = Promise.withResolvers<TokenReviewResponse>();
      asked.push({ token, answer });
      return answer.promise;
    },
  });
  return { asked, review: (token: string) => ask(token, {}) };
}

const of = (username: string): TokenReviewResponse => ({
  authenticated: true,
  user: { username, uid: '', groups: [], extra: {} },
  audiences: [],
  error: '',
  undecided: false,
  auditAnnotations: {},
});

test('concurrent requests with the same token share a review, with different tokens they do not', async () => {
  const { asked, review } = heldReviews();
  const [first, second, other] = [review('a'), review('a'), review('b')];
  assert.deepEqual(
    asked.map(({ token }) => token),
    ['a', 'b'],
  );
  asked[0]?.answer.resolve(of('one'));
  asked[1]?.answer.resolve(of('two'));
  const users = (await Promise.all([first, second, other])).map(({ user }) => user?.username);
  assert.deepEqual(users, ['one', 'one', 'two']);
});

test('a finished review is not reused, whether it succeeded or failed', async () => {
  const { asked, review } = heldReviews();
  const first = review('a');
  asked[0]?.answer.resolve(of('one'));
  await first;
  const second = [review('a'), review('a')];
  asked[1]?.answer.reject(new Error('away'));
  for (const each of second) await assert.rejects(each, /away/);
  const third = review('a');
  asked[2]?.answer.resolve({
    authenticated: false,
    user: undefined,
    audiences: [],
    error: 'revoked',
    undecided: false,
    auditAnnotations: {},
  });
  assert.equal((await third).authenticated, false);
  assert.equal(asked.length, 3);
});
