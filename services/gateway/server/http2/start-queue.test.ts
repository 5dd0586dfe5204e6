import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartQueue } from './start-queue.ts';

/** A queue on a clock and an event loop that the test turns by hand; each start takes a millisecond. */
function handTurned() {
  let time = 0;
  let callbacks: (() => void)[] = [];
  const started: string[] = [];
  const queue = new StartQueue<string>({
    start(item) {
      time++;
      started.push(item);
    },
    sliceMs: 3,
    now: () => time,
    afterTurn: callback => callbacks.push(callback),
  });
  return {
    queue,
    started,
    get due() {
      return callbacks.length;
    },
    turn() {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
    },
  };
}

test('new requests are started at the end of the turn, in order', () => {
  const { queue, started, turn } = handTurned();
  for (const name of ['a', 'b']) queue.push(name);
  assert.deepEqual(started, []);
  turn();
  assert.deepEqual(started, ['a', 'b']);
});

test('requests beyond the slice wait for the next turn, before newer ones', () => {
  const hand = handTurned();
  for (const name of ['a', 'b', 'c', 'd', 'e']) hand.queue.push(name);
  assert.equal(hand.due, 1);
  hand.turn();
  assert.equal(hand.started.join(''), 'abc');
  hand.queue.push('f');
  assert.equal(hand.due, 1);
  hand.turn();
  assert.equal(hand.started.join(''), 'abcdef');
  assert.equal(hand.due, 0);
  hand.queue.push('g');
  hand.turn();
  assert.equal(hand.started.join(''), 'abcdefg');
});

test('requests that start others do not extend their slice forever', () => {
  let callback = () => {};
  let count = 0;
  let time = 0;
  const queue: StartQueue<number> = new StartQueue<number>({
    start(item) {
      time++;
      count++;
      queue.push(item + 1);
    },
    now: () => time,
    afterTurn: due => {
      callback = due;
    },
  });
  queue.push(0);
  callback();
  assert.equal(count, 3);
  callback();
  assert.equal(count, 6);
});
