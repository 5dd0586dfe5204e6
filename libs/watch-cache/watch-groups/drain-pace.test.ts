import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-drivers/cache-under-test.ts';
import { DrainPace } from './drain-pace.ts';

/** Returns the time at which each watch may end, in ms of a clock that advances in steps of 1 ms. */
async function measureEnds(watches: number, overMs: number): Promise<number[]> {
  const clock = new ManualClock();
  const startedAt = clock.monotonic();
  const pace = new DrainPace(clock, watches, overMs);
  const ends: number[] = [];
  const ending = (async () => {
    for (let watch = 0; watch < watches; watch++) {
      await pace.next();
      ends.push(clock.monotonic() - startedAt);
    }
  })();
  for (let passed = 0; ends.length < watches && passed < 10_000; passed++) {
    await new Promise(resolve => setImmediate(resolve));
    if (ends.length < watches) clock.advance(1);
  }
  await ending;
  return ends;
}

test('watches are ended one by one within the given time', async () => {
  const ends = await measureEnds(1000, 2000);
  assert.equal(ends[0], 0);
  assert.ok((ends.at(-1) ?? 0) > 1900 && (ends.at(-1) ?? 0) <= 2000);
  const inAnyTenth = ends.filter(end => end >= 1000 && end < 1200).length;
  assert.ok(inAnyTenth >= 90 && inAnyTenth <= 110, `${inAnyTenth}`);
});

test('a few watches end earlier', async () => {
  const ends = await measureEnds(20, 5000);
  assert.ok((ends.at(-1) ?? 0) <= 400);
});

test('without a given time all watches end at once', async () => {
  assert.ok((await measureEnds(1200, 0)).every(end => end <= 2));
});
