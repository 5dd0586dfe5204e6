import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from './backoff.ts';

test('pauses grow to the maximum, and begin anew after a success', () => {
  const backoff = new Backoff({ firstMs: 100, longestMs: 350, random: () => 0 });
  const pauses = () => [backoff.next(), backoff.next(), backoff.next(), backoff.next()];
  assert.deepEqual(pauses(), [100, 200, 350, 350]);
  backoff.reset();
  assert.deepEqual(pauses(), [100, 200, 350, 350]);
});

test('jitter shortens a pause by up to half', () => {
  const backoff = new Backoff({ firstMs: 100, longestMs: 1000, random: () => 0.5 });
  assert.deepEqual([backoff.next(), backoff.next()], [75, 150]);
  const drawn = new Backoff({ firstMs: 100, longestMs: 100 });
  for (let attempt = 0; attempt < 100; attempt++) {
    const pauseMs = drawn.next();
    assert.ok(pauseMs > 50 && pauseMs <= 100, `${pauseMs}`);
  }
});

test('a failure of another kind has a maximum of its own', () => {
  const backoff = new Backoff({ firstMs: 100, longestMs: 200, random: () => 0 });
  const pauses = [backoff.next(), backoff.next(1000), backoff.next(1000), backoff.next(1000), backoff.next()];
  assert.deepEqual(pauses, [100, 200, 400, 800, 200]);
});
