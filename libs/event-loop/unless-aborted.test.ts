import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { unlessAborted } from './unless-aborted.ts';

test('work that ends first is heard, and no listener is left', async () => {
  const { signal } = new AbortController();
  assert.equal(await unlessAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(unlessAborted(Promise.reject(new Error('broken')), signal), { message: 'broken' });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a signal that comes first counts, with its own reason or the one that is given', async () => {
  const stop = new AbortController();
  const { promise: work, reject } = Promise.withResolvers<never>();
  const waiting = unlessAborted(work, stop.signal);
  const named = unlessAborted(work, stop.signal, () => new Error('too late'));
  stop.abort(new Error('stopping'));
  await assert.rejects(waiting, { message: 'stopping' });
  await assert.rejects(named, { message: 'too late' });
  await assert.rejects(unlessAborted(work, stop.signal), { message: 'stopping' });
  reject(new Error('nothing hears this'));
});
