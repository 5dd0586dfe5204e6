import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSliceQueue } from './slice-queue.ts';

/** Creates a queue with a clock and an event loop that the test advances. */
function handTurned() {
  let time = 0;
  let callbacks: (() => void)[] = [];
  const queue = createSliceQueue({
    sliceMs: 10,
    now: () => time,
    afterTurn: callback => callbacks.push(callback),
  });
  return {
    queue,
    pass(ms: number) {
      time += ms;
    },
    async turn() {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
      await Promise.resolve();
    },
  };
}

test('a slice ends after its time, and a new turn of the event loop starts a new one', async () => {
  const { queue, pass, turn } = handTurned();
  assert.equal(queue.isOver(), false);
  pass(9);
  assert.equal(queue.isOver(), false);
  pass(1);
  assert.equal(queue.isOver(), true);
  await turn();
  assert.equal(queue.isOver(), false);
});

test('one task continues per turn, in the order in which tasks yielded', async () => {
  const { queue, turn } = handTurned();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) queue.yield().then(() => done.push(name));
  const seen: string[] = [];
  for (let i = 0; i < 3; i++) {
    await turn();
    seen.push(done.join(''));
  }
  assert.deepEqual(seen, ['a', 'ab', 'abc']);
});

test('the slice of a task starts with its turn', async () => {
  const { queue, pass, turn } = handTurned();
  queue.isOver();
  pass(50);
  const yielded = queue.yield();
  await turn();
  await yielded;
  assert.equal(queue.isOver(), false);
  pass(10);
  assert.equal(queue.isOver(), true);
});

test('an aborted task leaves the queue, and the others continue', async () => {
  const { queue, turn } = handTurned();
  const leaving = new AbortController();
  const gone = queue.yield(leaving.signal);
  const staying = queue.yield();
  leaving.abort(new Error('the client left'));
  await assert.rejects(gone, /the client left/);
  await turn();
  await staying;
  await assert.rejects(queue.yield(leaving.signal), /the client left/);
});
