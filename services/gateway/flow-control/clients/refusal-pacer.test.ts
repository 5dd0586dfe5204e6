import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalPacer } from './refusal-pacer.ts';

/** A pacer on a clock that the test moves by hand. */
function handMoved() {
  let time = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const pacer = new RefusalPacer({
    now: () => time,
    after(ms, callback) {
      const timer = { at: time + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  return {
    pacer,
    timers,
    async pass(ms: number) {
      time += ms;
      for (const timer of [...timers]) if (timer.at <= time) timer.callback();
      await new Promise(setImmediate);
    },
  };
}

const staying = new AbortController().signal;

test('the first refusals of a user are sent at once, and further ones are delayed and sent one by one', async () => {
  const { pacer, pass } = handMoved();
  for (let i = 0; i < 20; i++) await pacer.pace('mallory', staying);
  let sent = 0;
  for (let i = 0; i < 5; i++) void pacer.pace('mallory', staying).then(() => sent++);
  await pass(999);
  assert.deepEqual([sent, pacer.waiting], [0, 5]);
  await pass(1);
  assert.deepEqual([sent, pacer.waiting], [1, 4]);
  await pass(5);
  assert.deepEqual([sent, pacer.waiting], [3, 2]);
  await pass(3);
  assert.deepEqual([sent, pacer.waiting], [5, 0]);
});

test('users with pauses between requests, and other users, are refused at once', async () => {
  const { pacer, pass } = handMoved();
  for (let second = 0; second < 3; second++) {
    for (let i = 0; i < 20; i++) await pacer.pace('patient', staying);
    await pass(1_000);
  }
  for (let i = 0; i < 30; i++) void pacer.pace('mallory', staying);
  await pacer.pace('alice', staying);
  assert.equal(pacer.waiting, 10);
});

test('a client that disconnects does not wait, and at most a thousand clients wait', async () => {
  const { pacer, timers, pass } = handMoved();
  const leaving = new AbortController();
  for (let i = 0; i < 1_020; i++) void pacer.pace('mallory', i < 30 ? leaving.signal : staying);
  await pass(0);
  assert.equal(pacer.waiting, 1_000);
  await pacer.pace('mallory', staying);
  leaving.abort();
  await pass(0);
  assert.deepEqual([pacer.waiting, timers.size], [990, 990]);
});

test('disconnecting clients do not delay others by more than three seconds', async () => {
  const { pacer, pass } = handMoved();
  for (let i = 0; i < 5_020; i++) {
    const leaving = new AbortController();
    const refusal = pacer.pace('mallory', leaving.signal);
    leaving.abort();
    await refusal;
  }
  assert.equal(pacer.waiting, 0);
  let isSent = false;
  void pacer.pace('mallory', staying).then(() => {
    isSent = true;
  });
  await pass(2_999);
  assert.equal(isSent, false);
  await pass(1);
  assert.equal(isSent, true);
});
