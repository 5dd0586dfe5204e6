import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextGeneration } from './next-generation.ts';

const cases: [before: number | bigint | undefined, after: number | bigint][] = [
  [undefined, 1],
  [1, 2],
  [Number.MAX_SAFE_INTEGER, 9007199254740992n],
  [9007199254740993n, 9007199254740994n],
  [-9007199254740992n, -9007199254740991],
  [9223372036854775807n, -9223372036854775808n],
];

for (const [before, after] of cases)
  test(`the generation after ${before} is ${after}`, () => {
    assert.equal(nextGeneration(before), after);
  });
