import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { EventQueue, type EventQueueOptions } from './event-queue.ts';
import { Throttle } from './throttle.ts';

/** A queue with a sink that a test controls, and a record of its batches and losses. */
function create(limits: Partial<EventQueueOptions> = {}) {
  const batches: string[][] = [];
  const state = { lost: 0, failures: 0, overflows: 0, worked: 0, closed: 0 };
  let take: () => Promise<void> = async () => {};
  const queue = new EventQueue({
    bufferSize: 1000,
    maxBatchSize: 1000,
    maxBatchLength: 1000,
    maxWaitMs: 0,
    throttle: undefined,
    sink: {
      async write(events) {
        batches.push([...events]);
        await take();
      },
      async [Symbol.asyncDispose]() {
        state.closed++;
      },
    },
    failures: { failed: () => void state.failures++, worked: () => void state.worked++ },
    overflows: { failed: () => void state.overflows++ },
    onLost: events => {
      state.lost += events;
    },
    now: () => performance.now(),
    ...limits,
  });
  const add = (text: string) => new Promise<boolean>(resolve => queue.add(text, resolve));
  return {
    queue,
    batches,
    state,
    add,
    whenTaken(next: () => Promise<void>) {
      take = next;
    },
  };
}

test('events of one turn are delivered together, and later ones after them in order', async () => {
  const { queue, batches, add, whenTaken } = create();
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  whenTaken(() => taken);
  queue.add('a');
  queue.add('b');
  await turn();
  const later = [add('c'), add('d')];
  resolve();
  assert.deepEqual(await Promise.all(later), [true, true]);
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('a batch is limited by events and size, and a larger event is sent alone', async () => {
  const { batches, add } = create({ maxBatchSize: 2, maxBatchLength: 10 });
  await Promise.all(['1', '2', '3', 'long'.repeat(5), '4444', '55555', '66'].map(add));
  assert.deepEqual(batches, [['1', '2'], ['3'], ['long'.repeat(5)], ['4444', '55555'], ['66']]);
});

test('a batch that is not full waits, and is sent when an event fills it', async () => {
  const { queue, batches, add } = create({ maxBatchSize: 2, maxWaitMs: 3600_000 });
  queue.add('a');
  await turn();
  await turn();
  assert.deepEqual(batches, []);
  assert.equal(await add('b'), true);
  assert.deepEqual(batches, [['a', 'b']]);
});

test('a batch that is not full is sent after the maximum wait of its first event', async () => {
  const { batches, add } = create({ maxBatchSize: 10, maxWaitMs: 5 });
  assert.equal(await add('a'), true);
  assert.deepEqual(batches, [['a']]);
});

test('events for a full queue are dropped, counted and settled', async () => {
  const { state, batches, add, whenTaken } = create({ bufferSize: 2 });
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  whenTaken(() => taken);
  const first = add('a');
  await turn();
  const outcomes = Promise.all([first, add('b'), add('c'), add('d')]);
  resolve();
  assert.deepEqual(await outcomes, [true, true, true, false]);
  assert.deepEqual([state.lost, state.overflows, state.failures], [1, 1, 0]);
  assert.deepEqual(batches, [['a'], ['b', 'c']]);
});

test('a failing sink loses only its batch', async () => {
  const { state, batches, add, whenTaken } = create();
  whenTaken(async () => {
    throw new Error('disk full');
  });
  assert.deepEqual(await Promise.all([add('a'), add('b')]), [false, false]);
  whenTaken(async () => {});
  assert.equal(await add('c'), true);
  assert.deepEqual([state.lost, state.failures, state.worked], [2, 1, 1]);
  assert.deepEqual(batches, [['a', 'b'], ['c']]);
});

test('a closed queue delivers waiting events at once, without the throttle', async () => {
  const throttle = { perSecond: 0.001, burst: 1 };
  const { queue, batches, state } = create({ maxBatchSize: 2, maxWaitMs: 3600_000, throttle });
  for (const text of ['a', 'b', 'c', 'd', 'e']) queue.add(text);
  await turn();
  await queue.close(60_000);
  assert.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e']]);
  assert.deepEqual([state.lost, state.closed], [0, 1]);
  queue.add('late');
  assert.equal(state.lost, 1);
});

test('events that the sink has not taken before the end of the close are dropped and counted', async () => {
  let signalled: AbortSignal | undefined;
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const { queue, state } = create({
    maxBatchSize: 1,
    sink: {
      async write(_events, signal) {
        signalled = signal;
        signal.addEventListener('abort', () => resolve());
        await released;
        throw signal.reason;
      },
      async [Symbol.asyncDispose]() {},
    },
  });
  for (const text of ['a', 'b', 'c']) queue.add(text);
  await turn();
  await queue.close(1);
  assert.equal(signalled?.aborted, true);
  assert.equal(state.lost, 3);
});

test('a sink that hangs and ignores its abort does not delay the close', async () => {
  const never = new Promise<void>(() => {});
  const sink = { write: () => never, [Symbol.asyncDispose]: () => never };
  const { queue, state, add } = create({ sink });
  const outcome = add('a');
  await turn();
  await queue.close(1);
  assert.equal(await outcome, false);
  assert.equal(state.lost, 1);
});

test('a throttle allows a burst and then the configured rate', async () => {
  let now = 0;
  const throttle = new Throttle({ perSecond: 10, burst: 2 }, () => now);
  const never = new AbortController().signal;
  await throttle.take(never);
  await throttle.take(never);
  let taken = false;
  const third = throttle.take(never).then(() => {
    taken = true;
  });
  await turn();
  assert.equal(taken, false);
  await third;
  now += 100;
  await throttle.take(never);
});
