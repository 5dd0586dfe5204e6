import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { unlessAborted } from './unless-aborted.ts';

test('work that ends before the signal gives its outcome, and no listener is left', async () => {
  const { signal } = new AbortController();
  assert.equal(await unlessAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(unlessAborted(Promise.reject(new Error('broken')), signal), { message: 'broken' });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('an abort before the end of the work rejects with the reason of the signal or the given one', async () => {
  const stop = new AbortController();
  const { promise: work, reject } = Promise.withResolvers<never>();
  const waiting = unlessAborted(work, stop.signal);
  const named = unlessAborted(work, stop.signal, { reasonOf: () => new Error('too late') });
  stop.abort(new Error('stopping'));
  await assert.rejects(waiting, { message: 'stopping' });
  await assert.rejects(named, { message: 'too late' });
  await assert.rejects(unlessAborted(work, stop.signal), { message: 'stopping' });
  reject(new Error('nothing hears this'));
});

test('a timeout rejects too, with or without a signal', async () => {
  const { signal } = new AbortController();
  const { promise: work, reject } = Promise.withResolvers<never>();
  const limit = { milliseconds: 1, reasonOf: () => new Error('late') };
  await assert.rejects(unlessAborted(work, undefined, { limit }), { message: 'late' });
  await assert.rejects(unlessAborted(work, signal, { limit }), { message: 'late' });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  const stopped = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(unlessAborted(work, stopped, { limit }), { message: 'stopped' });
  reject(new Error('nothing hears this'));
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
  const before = timers();
  const long = { milliseconds: 60_000, reasonOf: () => new Error('late') };
  assert.equal(await unlessAborted(Promise.resolve(1), undefined, { limit: long }), 1);
  assert.equal(timers(), before);
});
