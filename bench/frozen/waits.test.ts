import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sent } from './open-load.ts';
import { shortfalls, summarizeWaits, type UnderWay } from './waits.ts';

const frozenAt = 10_000;

function sent(each: Partial<Sent>): Sent {
  return { verb: 'patch', dueAt: frozenAt + 2_000, tookMs: 5, outcome: '200', ...each };
}

function listShortfalls(
  exceptions: readonly Partial<Sent>[],
  underWay: UnderWay = 'nowhere',
): readonly string[] {
  const all = [...Array.from({ length: 4_000 }, () => sent({})), ...exceptions.map(sent)];
  return shortfalls(summarizeWaits(all, frozenAt), underWay);
}

test('fast successes pass the check', () => {
  assert.deepEqual(listShortfalls([]), []);
});

test('one wait in a thousand may exceed the common limit, none may exceed the absolute limit', () => {
  const slow = (count: number, tookMs: number) => Array.from({ length: count }, () => ({ tookMs }));
  assert.deepEqual(listShortfalls(slow(3, 4_900)), []);
  assert.deepEqual(listShortfalls(slow(6, 4_900)), ['p99.9 over 2000 ms']);
  assert.deepEqual(listShortfalls(slow(1, 5_100)), ['a wait over 5000 ms']);
});

test('409 and 504 are accepted only for requests under way at the store in the first second', () => {
  for (const outcome of ['409', '504']) {
    const [early, late] = [{ outcome, dueAt: frozenAt + 900 }, { outcome }];
    assert.deepEqual(listShortfalls([early], 'store'), []);
    assert.deepEqual(listShortfalls([early]), ['409 or 504']);
    assert.deepEqual(listShortfalls([late], 'store'), ['409 or 504']);
  }
});

test('other refusals and broken connections are accepted only for requests under way at the frozen gateway', () => {
  for (const outcome of ['503', 'ECONNRESET']) {
    const [early, late] = [{ outcome, dueAt: frozenAt + 900 }, { outcome }];
    assert.deepEqual(listShortfalls([early], 'gateway'), []);
    assert.deepEqual(listShortfalls([early], 'store'), ['other failures']);
    assert.deepEqual(listShortfalls([late], 'gateway'), ['other failures']);
  }
});
