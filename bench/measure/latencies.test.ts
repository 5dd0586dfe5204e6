import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarizeLatencies } from './latencies.ts';

test('percentiles are those of the sorted values', () => {
  const shuffled = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1000);
  const summary = summarizeLatencies(shuffled);
  assert.deepEqual([summary?.p50, summary?.p90, summary?.p99, summary?.max], [500, 900, 990, 999]);
  assert.equal(summary?.curve.length, 100);
});

test('no measurements give no summary', () => {
  assert.equal(summarizeLatencies([]), undefined);
});
