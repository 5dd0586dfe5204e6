import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { pause } from './pause.ts';

/** Creates a clock whose only timer the test fires. */
function handClock() {
  const timer: { milliseconds?: number; callback?: () => void; cancelled: boolean } = { cancelled: false };
  const after = (milliseconds: number, callback: () => void) => {
    Object.assign(timer, { milliseconds, callback });
    return () => {
      timer.cancelled = true;
    };
  };
  return { timer, clock: { after } };
}

const ends: readonly [string, (parts: { wake: () => void; abort: () => void; ring: () => void }) => void][] =
  [
    ['its time', ({ ring }) => ring()],
    ['the signal', ({ abort }) => abort()],
    ['what wakes it', ({ wake }) => wake()],
  ];

for (const [what, end] of ends) {
  test(`a pause ends by ${what}, and leaves no timer or listener`, async () => {
    const { timer, clock } = handClock();
    const stop = new AbortController();
    let wake: () => void = assert.fail;
    let listens = true;
    const wakeBy = (call: () => void) => {
      wake = call;
      return () => {
        listens = false;
      };
    };
    const pausing = pause(50, stop.signal, { clock, wakeBy });
    assert.equal(timer.milliseconds, 50);
    end({ wake, abort: () => stop.abort(), ring: () => timer.callback?.() });
    await pausing;
    assert.deepEqual([timer.cancelled, listens], [true, false]);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
}

test('a pause with an aborted signal ends at once', async () => {
  await pause(60_000, AbortSignal.abort(), { clock: { after: () => assert.fail() } });
});

test('a wake-up immediately after the start ends the pause', async () => {
  const { timer, clock } = handClock();
  const wakeBy = (wake: () => void) => {
    wake();
    return () => {};
  };
  await pause(50, new AbortController().signal, { clock, wakeBy });
  assert.ok(timer.cancelled);
});

test('pauses work with real timers and negative times', async () => {
  const { signal } = new AbortController();
  await pause(-5, signal);
  await pause(1, signal);
});
