import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { FrameBatches } from './frame-batches.ts';

async function endOfThrottle(batches: FrameBatches): Promise<void> {
  while (batches.isThrottled) await pause(1);
}

test('after writes to many streams a connection is throttled, and then writes what is queued', async () => {
  using batches = new FrameBatches();
  for (let i = 0; i < 100; i++) batches.wrote();
  assert.equal(batches.isThrottled, false);
  await nextTurn();
  assert.equal(batches.isThrottled, true);
  const flushed: string[] = [];
  for (const name of ['a', 'b']) batches.wait({ flush: () => void flushed.push(name) });
  assert.deepEqual(flushed, []);
  await endOfThrottle(batches);
  assert.deepEqual(flushed, ['a', 'b']);
});

test('after writes to few streams a connection is not throttled', async () => {
  using batches = new FrameBatches();
  for (let i = 0; i < 9; i++) batches.wrote();
  await nextTurn();
  assert.equal(batches.isThrottled, false);
});

test('queued writes of a closed connection are dropped', async () => {
  const batches = new FrameBatches();
  for (let i = 0; i < 20; i++) batches.wrote();
  await nextTurn();
  batches.wait({ flush: () => assert.fail('written') });
  batches[Symbol.dispose]();
  await pause(30);
});
