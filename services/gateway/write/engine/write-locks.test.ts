import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { type KeyLock, KeyLocks } from './write-locks.ts';

const never = new AbortController().signal;
/** Longer than a test lasts. */
const leaseMs = 600_000;
const wait = { signal: never, leaseMs };
/** The lease is over when the event loop comes to it. */
const brief = { signal: never, leaseMs: 1 };

test('writes with the same key run one after another in order of arrival', async () => {
  const locks = new KeyLocks();
  const order: string[] = [];
  let inside = 0;
  const write = async (name: string) => {
    using _lock = await locks.acquire('a', wait);
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
  using _first = await locks.acquire('a', wait);
  using _second = await locks.acquire('b', wait);
  assert.equal(locks.isHeld('a'), true);
  assert.equal(locks.isHeld('c'), false);
});

test('a free lock is acquired at once, a held one is not', () => {
  const locks = new KeyLocks();
  const lock = locks.tryAcquire('a', leaseMs);
  assert.equal(lock?.isHeld, true);
  assert.equal(locks.tryAcquire('a', leaseMs), undefined);
  lock[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
  assert.ok(locks.tryAcquire('a', leaseMs));
});

test('an aborted write never gets the lock, and the next one does', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', wait);
  const abort = new AbortController();
  const second = locks.acquire('a', { ...wait, signal: abort.signal });
  const third = locks.acquire('a', wait);
  abort.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  first[Symbol.dispose]();
  const lock = await third;
  assert.equal(locks.isHeld('a'), true);
  lock[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
  await assert.rejects(locks.acquire('a', { ...wait, signal: abort.signal }), /enough/);
  assert.equal(locks.isHeld('a'), false);
});

test('an abort after the lock was passed on does not release it', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', wait);
  const abort = new AbortController();
  const second = locks.acquire('a', { ...wait, signal: abort.signal });
  first[Symbol.dispose]();
  abort.abort();
  (await second)[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
});

test('a write with an expired lease loses the lock to the next one, and does not release it', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', brief);
  const second = await locks.acquire('a', wait);
  assert.deepEqual([first.isHeld, second.isHeld], [false, true]);
  first[Symbol.dispose]();
  assert.deepEqual([second.isHeld, locks.isHeld('a')], [true, true]);
  second[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
});

test('repeatedly expiring leases admit one, two and then four writes', async () => {
  const locks = new KeyLocks();
  const held = await locks.acquire('a', brief);
  let entered = 0;
  const seen: number[] = [];
  const waiting = Array.from({ length: 7 }, async (_, i) => {
    await locks.acquire('a', brief);
    entered++;
    // Those that are let in together come in together.
    if (i === 0 || i === 2 || i === 6) seen.push(entered);
  });
  await Promise.all(waiting);
  assert.equal(held.isHeld, false);
  assert.deepEqual(seen, [1, 3, 7]);
});

test('a released lock admits one write, whatever expired before', async () => {
  const locks = new KeyLocks();
  await locks.acquire('a', brief);
  const second = await locks.acquire('a', wait);
  const entered: string[] = [];
  const enter = async (name: string) => {
    const lock = await locks.acquire('a', wait);
    entered.push(name);
    return lock;
  };
  const [third, fourth] = [enter('third'), enter('fourth')];
  second[Symbol.dispose]();
  const lock = await third;
  assert.deepEqual([entered, lock.isHeld], [['third'], true]);
  lock[Symbol.dispose]();
  (await fourth)[Symbol.dispose]();
  assert.equal(locks.isHeld('a'), false);
});

test('a lease does not expire while no other write waits', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', brief);
  const abort = new AbortController();
  const second = locks.acquire('a', { ...wait, signal: abort.signal });
  abort.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  await new Promise(resolve => setTimeout(resolve, 10 * brief.leaseMs));
  assert.equal(first.isHeld, true);
});

test('a write that lost the lock precedes waiting ones', async () => {
  const locks = new KeyLocks();
  const first = await locks.acquire('a', brief);
  const second = await locks.acquire('a', wait);
  const order: string[] = [];
  const enter = async (name: string, lock: Promise<KeyLock>) => {
    using _lock = await lock;
    order.push(name);
  };
  const third = enter('third', locks.acquire('a', wait));
  assert.equal(first.isHeld, false);
  const repeated = enter('first', locks.acquire('a', { ...wait, isFirst: true }));
  second[Symbol.dispose]();
  await Promise.all([third, repeated]);
  assert.deepEqual(order, ['first', 'third']);
});

test('the next write gets the result of the previous one, which may be empty', async () => {
  const locks = new KeyLocks();
  const record = { key: storageKeyFrom('/core/configmaps/tour/a'), value: Buffer.from('{}'), revision: 7 };
  const first = await locks.acquire('a', wait);
  const [second, third] = [locks.acquire('a', wait), locks.acquire('a', wait)];
  assert.equal(first.left, undefined);
  first.leave(record);
  first[Symbol.dispose]();
  const next = await second;
  assert.deepEqual(next.left, { record });
  next.leave(undefined);
  next[Symbol.dispose]();
  const last = await third;
  assert.deepEqual(last.left, { record: undefined });
  last[Symbol.dispose]();
  assert.equal((await locks.acquire('a', wait)).left, undefined);
});

test('at most a thousand writes wait for a lock', async () => {
  const locks = new KeyLocks();
  const abort = new AbortController();
  const giving = { signal: abort.signal, leaseMs };
  await locks.acquire('a', giving);
  const waiting = Array.from({ length: 1_000 }, () => locks.acquire('a', giving));
  await assert.rejects(locks.acquire('a', giving), { code: 429, retryAfterSeconds: 1 });
  using _other = await locks.acquire('b', giving);
  abort.abort(new Error('enough'));
  const ends = await Promise.allSettled(waiting);
  assert.ok(ends.every(({ status }) => status === 'rejected'));
});

test('the lease is suspended during the commit, and continues afterwards', async () => {
  const timers: (() => void)[] = [];
  const locks = new KeyLocks({
    after(_, callback) {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
  });
  const passLease = (): void => {
    assert.equal(timers.length, 1);
    timers.shift()?.();
  };
  const first = await locks.acquire('a', wait);
  const entered: number[] = [];
  for (const number of [2, 3, 4, 5]) void locks.acquire('a', wait).then(() => entered.push(number));
  await new Promise(resolve => setImmediate(resolve));
  first.isCommitting = true;
  for (let passed = 0; passed < 10; passed++) passLease();
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual([entered, first.isHeld], [[], true]);
  first.isCommitting = false;
  passLease();
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual([entered, first.isHeld], [[2], false]);
  passLease();
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(entered, [2, 3, 4]);
});
