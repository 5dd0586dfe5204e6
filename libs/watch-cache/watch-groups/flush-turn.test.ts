import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlushTurn } from './flush-turn.ts';

/** Creates a flush turn on a manual clock, and a flush that takes `cost` milliseconds. */
function create(cost: number) {
  const state = { now: 0, flushes: 0, waits: [] as number[], throttles: [] as number[] };
  let wake: (() => void) | undefined;
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    state.waits.push(milliseconds);
    wake = callback;
    return () => {};
  };
  const turn = new FlushTurn({ after, monotonic: () => state.now }, throttle =>
    state.throttles.push(throttle),
  );
  const flushable = {
    flush() {
      state.flushes++;
      state.now += cost;
    },
  };
  const endOfTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  return { state, turn, flushable, endOfTurn, wake: () => wake?.() };
}

test('a short flush is followed by the next one at the end of the turn', async () => {
  const { state, turn, flushable, endOfTurn } = create(0.3);
  for (let i = 0; i < 3; i++) {
    turn.schedule(flushable);
    await endOfTurn();
  }
  assert.equal(state.flushes, 3);
  assert.deepEqual([state.waits, state.throttles], [[], []]);
});

test('after a long flush the next one waits in proportion, up to a limit', async () => {
  for (const [cost, throttle] of [
    [10, 30],
    [400, 50],
  ] as const) {
    const { state, turn, flushable, endOfTurn, wake } = create(cost);
    turn.schedule(flushable);
    await endOfTurn();
    turn.schedule(flushable);
    await endOfTurn();
    assert.deepEqual([state.flushes, state.waits, state.throttles], [1, [throttle], [throttle]]);
    wake();
    assert.equal(state.flushes, 2);
  }
});

test('a flush after that wait is not delayed', async () => {
  const { state, turn, flushable, endOfTurn } = create(10);
  turn.schedule(flushable);
  await endOfTurn();
  state.now += 30;
  turn.schedule(flushable);
  await endOfTurn();
  assert.deepEqual([state.flushes, state.waits], [2, []]);
});
