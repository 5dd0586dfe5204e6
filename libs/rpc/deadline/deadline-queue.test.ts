import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { deadlineIn } from '@binnacle/proto';
import { DeadlineQueue, type Timed } from './deadline-queue.ts';

interface Named extends Timed {
  readonly name: string;
}

function setUp() {
  const queue = new DeadlineQueue();
  const expired: string[] = [];
  const timed = (name: string, durationMs: number): Named => ({
    name,
    durationMs,
    deadline: deadlineIn(durationMs),
    expire: () => void expired.push(name),
  });
  const add = (name: string, durationMs: number): Named => {
    const added = timed(name, durationMs);
    queue.add(added);
    return added;
  };
  const until = async (count: number) => {
    while (expired.length < count) await pause(1);
  };
  return { queue, expired, add, until };
}

const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;

test('deadlines expire in their order, whatever the order and duration of their addition', async () => {
  const { queue, expired, add, until } = setUp();
  add('last', 60);
  add('first', 5);
  add('third', 40);
  add('second', 20);
  await until(4);
  assert.deepEqual(expired, ['first', 'second', 'third', 'last']);
  assert.equal(queue.size, 0);
});

test('no deadline expires early', async () => {
  const { add, until } = setUp();
  const { deadline } = add('one', 15);
  await until(1);
  assert.ok(performance.now() >= deadline);
});

test('a removed deadline does not expire, and does not delay later ones', async () => {
  const { queue, expired, add, until } = setUp();
  const removed = add('removed', 5);
  add('kept', 15);
  queue.remove(removed);
  queue.remove(removed);
  assert.equal(queue.size, 1);
  await until(1);
  add('added', 5);
  await until(2);
  assert.deepEqual(expired, ['kept', 'added']);
});

test('an expiring deadline can remove and add others', async () => {
  const { queue, expired, add, until } = setUp();
  const other = add('other', 20);
  queue.add({
    durationMs: 5,
    deadline: deadlineIn(5),
    expire: () => {
      queue.remove(other);
      add('added', 1);
    },
  });
  await until(1);
  assert.deepEqual(expired, ['added']);
  assert.equal(queue.size, 0);
});

test('a deadline that is removed by another one at the same time does not expire', async () => {
  const { queue, expired, add, until } = setUp();
  const other = add('other', 10);
  queue.add({
    durationMs: 5,
    deadline: deadlineIn(5),
    expire: () => {
      queue.remove(other);
      expired.push('first');
    },
  });
  for (const end = performance.now() + 20; performance.now() < end; );
  await until(1);
  assert.deepEqual(expired, ['first']);
  assert.equal(queue.size, 0);
});

test('a thousand deadlines share one timer, which ends with the last deadline', () => {
  const { queue, add } = setUp();
  const before = timers();
  const added = Array.from({ length: 1_000 }, (_, index) => add('one', 60_000 - (index % 7)));
  assert.equal(timers(), before + 1);
  for (const timed of added) queue.remove(timed);
  assert.equal(timers(), before);
  const repeated = add('again', 60_000);
  assert.equal(timers(), before + 1);
  queue.remove(repeated);
});
