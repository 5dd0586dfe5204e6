import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { StatusError, serviceUnavailable } from '@binnacle/status-errors';
import { createMetrics } from '@binnacle/telemetry';
import type { Authenticator, Decision } from '../authenticators/authenticator.ts';
import { createCacheMetrics } from '../decision-cache/cache-metrics.ts';
import { DecisionCache } from '../decision-cache/decision-cache.ts';
import { review } from './review.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };
const alice = { username: 'alice', uid: '', groups: [], extra: {} };
const accepted: Decision = { kind: 'authenticated', user: alice, audiences: ['api'] };
const unknown: Decision = { kind: 'unknown' };
const undecided: Decision = { kind: 'undecided' };
const down = serviceUnavailable('storage does not answer');

function authenticators(answers: readonly (Decision | StatusError)[], isCheap = false): Authenticator[] {
  return answers.map((answer, index) => ({
    name: `authenticator-${index}`,
    cacheTtl: { success: 1000, failure: 1000 },
    isCheap,
    authenticate: async () => {
      if (answer instanceof StatusError) throw answer;
      return answer;
    },
  }));
}

function createReview(answers: readonly (Decision | StatusError)[], isCheap?: boolean) {
  const state = { now: 0 };
  const clock = () => state.now;
  const decisions = new DecisionCache({
    shared: undefined,
    digestKey: () => createSecretKey('key', 'utf8'),
    maxEntries: 10,
    clock,
    metrics: createCacheMetrics(createMetrics({ process: false })),
  });
  const options = {
    authenticators: authenticators(answers, isCheap),
    ...{ decisions, audiences: ['api'], clock, observe() {} },
  };
  return { state, review: () => review({ token: 't', audiences: [] }, call, options) };
}

const reviewWith = (answers: readonly (Decision | StatusError)[]) => createReview(answers).review();

const rejected = (error: string): Decision => ({ kind: 'rejected', error });
const cases: [string, (Decision | StatusError)[], boolean, string][] = [
  ['the first to accept decides', [unknown, accepted, rejected('no')], true, ''],
  ['a refusal does not hide what another accepts', [rejected('no'), accepted], true, ''],
  ['a failure does not hide what another accepts', [down, accepted], true, ''],
  ['the first refusal is the reason', [unknown, rejected('first'), rejected('second')], false, 'first'],
  ['a token that none knows', [unknown, unknown], false, 'invalid bearer token'],
];
for (const [title, answers, authenticated, error] of cases)
  test(title, async () => {
    const response = await reviewWith(answers);
    assert.deepEqual([response.authenticated, response.error], [authenticated, error]);
  });

const doubts: [string, Decision[], boolean][] = [
  ['one that cannot be asked leaves the token undecided', [unknown, undecided, unknown], true],
  ['what another one accepts is decided', [undecided, accepted], false],
  ['what another one refuses is decided', [undecided, rejected('no')], false],
  ['a refusal counts before one that cannot be asked', [rejected('no'), undecided], false],
  ['what none knows is decided', [unknown], false],
];
for (const [title, answers, isUndecided] of doubts)
  test(title, async () => assert.equal((await reviewWith(answers)).undecided, isUndecided));

test('the caller may use an acceptance for as long as the cached decision lasts', async () => {
  const { state, review } = createReview([unknown, accepted]);
  const times: unknown[] = [];
  for (state.now of [0, 300, 1_000]) times.push((await review()).reusableMs);
  assert.deepEqual(times, [1_000, 700, 1_000]);
});

test('the caller may use an acceptance that is not cached here for as long as cached ones', async () => {
  const { state, review } = createReview([accepted], true);
  const times: unknown[] = [];
  for (state.now of [0, 300]) times.push((await review()).reusableMs);
  assert.deepEqual(times, [1_000, 1_000]);
});

test('the caller may use a refusal only once', async () => {
  for (const answers of [[rejected('no')], [unknown], [undecided]])
    assert.equal((await reviewWith(answers)).reusableMs, undefined);
});

test('a failure is thrown if no authenticator accepts, even if another one refuses', async () => {
  await assert.rejects(reviewWith([rejected('no'), down, unknown]), down);
});
