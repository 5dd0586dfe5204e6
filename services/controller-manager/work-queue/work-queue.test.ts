import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkQueue } from './work-queue.ts';

const done = { kind: 'done' } as const;

test('a key added many times before it is processed is processed once', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const queue = new WorkQueue({
    concurrency: 1,
    reconcile: async key => {
      seen.push(key);
      if (key === 'last') stop.abort();
      return done;
    },
    onError: () => assert.fail('nothing fails here'),
  });
  for (let i = 0; i < 10; i++) queue.add('a');
  queue.add('last');
  await queue.run(stop.signal);
  assert.deepEqual(seen, ['a', 'last']);
});

test('a key added while it is processed is processed again, never concurrently', async () => {
  const stop = new AbortController();
  let atOnce = 0;
  let times = 0;
  const queue: WorkQueue = new WorkQueue({
    concurrency: 4,
    reconcile: async key => {
      assert.equal(++atOnce, 1);
      if (times++ === 0) queue.add(key);
      await new Promise(resolve => setImmediate(resolve));
      atOnce--;
      if (times === 2) stop.abort();
      return done;
    },
    onError: (_key, error) => assert.fail(String(error)),
  });
  queue.add('a');
  await queue.run(stop.signal);
  assert.equal(times, 2);
});

test('failed work is retried, and other keys are processed meanwhile', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const queue = new WorkQueue({
    concurrency: 2,
    firstRetryMs: 1,
    reconcile: async key => {
      seen.push(key);
      if (key === 'bad' && seen.filter(entry => entry === 'bad').length < 3) throw new Error('no');
      if (key === 'bad') stop.abort();
      return done;
    },
    onError: key => assert.equal(key, 'bad'),
  });
  queue.add('bad');
  queue.add('good');
  await queue.run(stop.signal);
  assert.equal(seen.filter(key => key === 'bad').length, 3);
  assert.ok(seen.includes('good'));
});

test('work that asks for it is retried like failed work, without a report', async () => {
  const stop = new AbortController();
  let times = 0;
  const queue: WorkQueue = new WorkQueue({
    concurrency: 1,
    firstRetryMs: 1,
    reconcile: async () => {
      assert.equal(queue.depth, 1);
      if (++times === 3) stop.abort();
      return times === 3 ? done : { kind: 'retry' };
    },
    onError: (_key, error) => assert.fail(String(error)),
  });
  queue.add('a');
  await queue.run(stop.signal);
  assert.deepEqual([times, queue.depth], [3, 0]);
});
