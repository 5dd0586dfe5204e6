import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilAborted } from './until-aborted.ts';

test('the wait resolves when the signal aborts, or at once if it has aborted', async () => {
  const stop = new AbortController();
  let isOver = false;
  const waiting = untilAborted(stop.signal).then(() => {
    isOver = true;
  });
  await Promise.resolve();
  assert.equal(isOver, false);
  stop.abort();
  await waiting;
  await untilAborted(stop.signal);
});
