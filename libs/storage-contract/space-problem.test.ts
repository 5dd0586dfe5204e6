import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spaceProblem } from './space-problem.ts';

test('a store is nearly full from 80 % of its quota, and full when it reports so', () => {
  for (const [sizeBytes, quotaBytes, isFull, problem] of [
    [799, 1000, false, undefined],
    [800, 1000, false, 'the store uses 80% of its quota'],
    [1200, 1000, false, 'the store uses 120% of its quota'],
    [500, 0, false, undefined],
    [500, 1000, true, 'the store is full: it accepts no writes until it has space and the alarm is disarmed'],
    [0, 0, true, 'the store is full: it accepts no writes until it has space and the alarm is disarmed'],
  ] as const)
    assert.equal(spaceProblem({ sizeBytes, quotaBytes, isFull }), problem);
});
