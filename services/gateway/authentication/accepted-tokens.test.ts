import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenReviewRequest, TokenReviewResponse } from '@binnacle/proto';
import { StatusError } from '@binnacle/status-errors';
import { AcceptedTokens } from './accepted-tokens.ts';

const refusal: TokenReviewResponse = {
  authenticated: false,
  audiences: [],
  error: 'revoked',
  undecided: false,
  auditAnnotations: {},
};

function acceptance(username: string, reusableMs?: number): TokenReviewResponse {
  return {
    ...{ authenticated: true, audiences: [], error: '', undecided: false, auditAnnotations: {} },
    user: { username, uid: '', groups: [], extra: {} },
    ...(reusableMs !== undefined && { reusableMs }),
  };
}

/** A cache before a token-review that answers when it is told to. */
function heldReviews(maxEntries?: number) {
  const asked: (TokenReviewRequest & { readonly answer: PromiseWithResolvers<TokenReviewResponse> })[] = [];
  const state = { now: 0 };
  const tokens = new AcceptedTokens({
    tokenReview: {
      review(request) {
        const answer = Promise.withResolvers<TokenReviewResponse>();
        asked.push({ ...request, answer });
        return answer.promise;
      },
    },
    clock: () => state.now,
    ...(maxEntries !== undefined && { maxEntries }),
  });
  const find = async (token: string) => (await tokens.find(token, {})).user.username;
  /** Finds a token that is not cached; token-review answers with `response` after `tookMs`. */
  const review = async (token: string, response: TokenReviewResponse, tookMs = 0) => {
    const before = asked.length;
    const finding = find(token);
    assert.equal(asked.length, before + 1, 'token-review is called');
    state.now += tookMs;
    asked.at(-1)?.answer.resolve(response);
    return await finding;
  };
  return { asked, state, find, review };
}

const refused = (error: unknown) => error instanceof StatusError && error.code === 401;
const unavailable = (error: unknown) => error instanceof StatusError && error.code === 503;

test('concurrent requests with the same token share a review, with different tokens they do not', async () => {
  const { asked, find } = heldReviews();
  const all = Promise.all([find('a'), find('a'), find('b')]);
  assert.deepEqual(
    asked.map(({ token, audiences }) => [token, audiences]),
    [
      ['a', []],
      ['b', []],
    ],
  );
  asked[0]?.answer.resolve(acceptance('one'));
  asked[1]?.answer.resolve(acceptance('two'));
  assert.deepEqual(await all, ['one', 'one', 'two']);
});

const lifetimes: readonly (readonly [title: string, reusableMs: number | undefined, lastMs: number])[] = [
  ['for the time that token-review gives', 700, 699],
  ['for two seconds at most', 120_000, 1_999],
];
for (const [title, reusableMs, lastMs] of lifetimes)
  test(`an accepted token is cached ${title}, and a withdrawn one is refused after that`, async () => {
    const { asked, state, find, review } = heldReviews();
    await review('a', acceptance('one', reusableMs));
    state.now = lastMs;
    assert.equal(await find('a'), 'one');
    assert.equal(asked.length, 1);
    state.now = lastMs + 1;
    await assert.rejects(review('a', refusal), refused);
  });

test('the time counts from the call of token-review, not from its answer', async () => {
  const { state, find, review } = heldReviews();
  await review('a', acceptance('one', 2_000), 1_500);
  state.now = 1_999;
  assert.equal(await find('a'), 'one');
  state.now = 2_000;
  await assert.rejects(review('a', refusal), refused);
  await review('b', acceptance('two', 2_000), 2_000);
  await assert.rejects(review('b', refusal), refused);
});

for (const reusableMs of [undefined, 0])
  test(`a token that token-review gives ${reusableMs ?? 'no time'} for is not cached`, async () => {
    const { review } = heldReviews();
    await review('a', acceptance('one', reusableMs));
    assert.equal(await review('a', acceptance('two', reusableMs)), 'two');
  });

test('refusals and failures are not cached', async () => {
  const { asked, find, review } = heldReviews();
  await assert.rejects(review('a', { ...refusal, reusableMs: 2_000 }), refused);
  await assert.rejects(review('a', { ...refusal, undecided: true }), refused);
  const failing = Promise.allSettled([find('a'), find('a')]);
  asked.at(-1)?.answer.reject(new Error('away'));
  for (const each of await failing) assert.ok(each.status === 'rejected' && unavailable(each.reason));
  assert.equal(await review('a', acceptance('one', 2_000)), 'one');
  assert.equal(await find('a'), 'one');
});

test('the least recently used tokens are removed from a full cache', async () => {
  const { find, review } = heldReviews(2);
  await review('a', acceptance('one', 2_000));
  await review('b', acceptance('two', 2_000));
  await find('a');
  await review('c', acceptance('three', 2_000));
  assert.equal(await find('a'), 'one');
  assert.equal(await review('b', acceptance('another', 2_000)), 'another');
});

test('a clock that is set back prolongs nothing', async () => {
  const { state, review } = heldReviews();
  state.now = 10_000;
  await review('a', acceptance('one', 2_000), -5_000);
  await review('a', acceptance('one', 2_000));
  state.now = 4_000;
  await assert.rejects(review('a', refusal), refused);
});
