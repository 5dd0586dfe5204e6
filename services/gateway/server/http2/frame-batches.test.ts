import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { FrameBatches } from './frame-batches.ts';

async function endOfRest(batches: FrameBatches): Promise<void> {
  while (batches.isResting) await pause(1);
}

test('a connection that wrote to many streams rests, and then what waits is written', async () => {
  using batches = new FrameBatches();
  for (let i = 0; i < 100; i++) batches.wrote();
  assert.equal(batches.isResting, false);
  await nextTurn();
  assert.equal(batches.isResting, true);
  const flushed: string[] = [];
  for (const name of ['a', 'b']) batches.wait({ flush: () => void flushed.push(name) });
  assert.deepEqual(flushed, []);
  await endOfRest(batches);
  assert.deepEqual(flushed, ['a', 'b']);
});

test('a connection that wrote to few streams does not rest', async () => {
  using batches = new FrameBatches();
  for (let i = 0; i < 9; i++) batches.wrote();
  await nextTurn();
  assert.equal(batches.isResting, false);
});

test('what waits for a connection that is closed is not written', async () => {
  const batches = new FrameBatches();
  for (let i = 0; i < 20; i++) batches.wrote();
  await nextTurn();
  batches.wait({ flush: () => assert.fail('written') });
  batches[Symbol.dispose]();
  await pause(30);
});
