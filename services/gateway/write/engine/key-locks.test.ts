import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyLocks } from './key-locks.ts';

const never = new AbortController().signal;

test('writes with one key go one after another, in the order in which they came', async () => {
  const locks = new KeyLocks();
  const order: string[] = [];
  let inside = 0;
  const write = async (name: string) => {
    using _lock = await locks.acquire('a', never);
    assert.equal(++inside, 1);
    order.push(name);
    await Promise.resolve();
    inside--;
  };
  await Promise.all(['1', '2', '3', '4'].map(write));
  assert.deepEqual(order, ['1', '2', '3', '4']);
  assert.equal(locks.isHeld('a'), false);
});

test('locks of different keys are independent', async () => {
  const locks = new KeyLocks();
  using _first = await locks.acquire('a', never);
  using _second = await locks.acquire('b', never);
  assert.equal(locks.isHeld('a'), true);
  assert.equal(locks.isHeld('c'), false);
});

test('a write that gives up never holds the lock, and the next one gets it', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', never);
  const abort = new AbortController();
  const second = locks.acquire('a', abort.signal);
  const third = locks.acquire('a', never);
  abort.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  first[Symbol.dispose]();
  const lock = await third;
  assert.equal(locks.isHeld('a'), true);
  lock[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
  await assert.rejects(locks.acquire('a', abort.signal), /enough/);
  assert.equal(locks.isHeld('a'), false);
});

test('an abort after the lock was passed on leaves the lock with the write', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', never);
  const abort = new AbortController();
  const second = locks.acquire('a', abort.signal);
  first[Symbol.dispose]();
  abort.abort();
  (await second)[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
});
