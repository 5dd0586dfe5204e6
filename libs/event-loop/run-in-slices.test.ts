import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAtOnce, runInSlices, yieldAfterStep } from './run-in-slices.ts';
import { createSliceQueue } from './slice-queue.ts';

/** Work of `count` steps, each of which takes 1 ms of the clock. */
function* steps(count: number, clock: { now: number }): Generator<void, string> {
  for (let i = 0; i < count; i++) {
    clock.now++;
    yield;
  }
  return 'done';
}

test('work yields at the end of each slice', async () => {
  const clock = { now: 0 };
  let turns = 0;
  const slices = createSliceQueue({
    sliceMs: 8,
    now: () => clock.now,
    afterTurn(callback) {
      turns++;
      setImmediate(callback);
    },
  });
  assert.equal(await runInSlices(steps(100, clock), slices), 'done');
  // Each yield takes two turns: one to wait, and one that ends the slice.
  assert.ok(turns >= 2 * 11 && turns <= 2 * 14, `${turns} turns`);
});

test('the same work can run synchronously', () => {
  assert.equal(runAtOnce(steps(100, { now: 0 })), 'done');
});

test('an error in the work is thrown', async () => {
  const work = (function* () {
    yield;
    throw new Error('broken');
  })();
  await assert.rejects(runInSlices(work), /broken/);
});

test('work also yields after a single long step', async () => {
  assert.equal(yieldAfterStep(1000), undefined);
  const other: string[] = [];
  const yielding = yieldAfterStep(1_000_000);
  assert.ok(yielding !== undefined);
  setImmediate(() => other.push('another request'));
  await yielding;
  await yieldAfterStep(1_000_000);
  assert.deepEqual(other, ['another request']);
});
