import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallQueue } from './call-queue.ts';
import { KmsError } from './kms-error.ts';

const gone = (failure: 'unreachable' | 'silent' = 'silent') => new KmsError(failure, 'no answer');

/** A queue with a clock of its own, and calls that end when the test says so. */
function prepare(mostRunning = 32) {
  const clock = { now: 0 };
  const queue = new CallQueue({ plugin: 'test', mostRunning, awayMs: 3000, now: () => clock.now });
  let begun = 0;
  const begin = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const outcome = queue.run(() => {
      begun++;
      return promise;
    });
    outcome.catch(() => {});
    return { outcome, resolve, reject };
  };
  return { clock, begin, begun: () => begun };
}

for (const failure of ['unreachable', 'silent'] as const)
  test(`a plugin that was ${failure} costs one wait at a time, whatever else is called meanwhile, until it answers`, async () => {
    const { clock, begin, begun } = prepare();
    const first = begin();
    clock.now = 3000;
    first.reject(gone(failure));
    await assert.rejects(first.outcome, { failure });
    for (let attempt = 1; attempt <= 3; attempt++) {
      const trying = begin();
      const others = await Promise.allSettled(Array.from({ length: 1000 }, () => begin().outcome));
      assert.ok(others.every(({ status }) => status === 'rejected'));
      assert.equal(begun(), 1 + attempt);
      // As long as a call takes, also where it is longer than the plugin counts as away.
      clock.now += 5000;
      await assert.rejects(begin().outcome, { failure });
      trying.reject(gone(failure));
      await assert.rejects(trying.outcome, { failure });
    }
    begin().resolve('back');
    await new Promise(setImmediate);
    const both = [begin(), begin()];
    for (const each of both) each.resolve('answer');
    assert.deepEqual(await Promise.all(both.map(({ outcome }) => outcome)), ['answer', 'answer']);
  });

test('a plugin that was not called for some seconds gets several calls at once, as if it had never been away', async () => {
  const { clock, begin } = prepare();
  const first = begin();
  first.reject(gone());
  await assert.rejects(first.outcome);
  clock.now = 3000;
  const both = [begin(), begin()];
  for (const each of both) each.resolve('answer');
  assert.deepEqual(await Promise.all(both.map(({ outcome }) => outcome)), ['answer', 'answer']);
});

for (const [answer, end] of [
  ['an answer', (call: ReturnType<ReturnType<typeof prepare>['begin']>) => call.resolve('answer')],
  [
    'an error of the plugin',
    (call: ReturnType<ReturnType<typeof prepare>['begin']>) => call.reject(new KmsError('refused', 'no')),
  ],
] as const)
  test(`${answer} to another call shows that a call which got none was late alone: those that wait go on`, async () => {
    const { clock, begin, begun } = prepare(2);
    const [late, other] = [begin(), begin()];
    const waiting = [begin(), begin()];
    clock.now = 1000;
    end(other);
    await other.outcome.catch(() => {});
    clock.now = 3000;
    late.reject(gone());
    await assert.rejects(late.outcome);
    await new Promise(setImmediate);
    assert.equal(begun(), 4);
    for (const each of waiting) each.resolve('answer');
    assert.deepEqual(await Promise.all(waiting.map(({ outcome }) => outcome)), ['answer', 'answer']);
  });

test('calls that wait fail with the one that finds the plugin away', async () => {
  const { begin, begun } = prepare(1);
  const calls = Array.from({ length: 100 }, begin);
  calls[0]?.reject(gone());
  for (const { outcome } of calls) await assert.rejects(outcome, { failure: 'silent' });
  assert.equal(begun(), 1);
});
