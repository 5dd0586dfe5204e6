import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTurns } from './compare-turns.ts';

test('a machine that is slower in some turns changes no difference', () => {
  const bases = Array.from({ length: 20 }, (_, turn) => 100 * (1 + (turn % 5)));
  const { percent, low, high } = compareTurns(
    bases.map(base => base * 1.01),
    bases,
  );
  for (const bound of [percent, low, high]) assert.ok(Math.abs(bound - 1) < 1e-9, `${bound}`);
});

test('a turn that something else disturbed moves neither the difference nor its bounds', () => {
  const differences = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 500];
  const { percent, low, high } = compareTurns(
    differences.map(difference => 100 + difference),
    differences.map(() => 100),
  );
  const rounded = [percent, low, high].map(value => Number(value.toFixed(3)));
  assert.deepEqual(rounded, [0.6, 0.2, 0.9]);
});

test('the bounds hold the true difference in 19 of 20 comparisons, whatever the errors', () => {
  let seed = 1;
  // Numbers of a Lehmer generator, so that every run has the same.
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const comparisons = 2_000;
  let held = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const turns = Array.from({ length: 40 }, () => 102 + 30 * Math.log(random() / random()));
    const { low, high } = compareTurns(
      turns,
      turns.map(() => 100),
    );
    if (low <= 2 && 2 <= high) held++;
  }
  assert.ok(held / comparisons > 0.94 && held / comparisons < 0.98, `${held}`);
});

test('few turns are bounded by the least and the greatest difference', () => {
  assert.deepEqual(compareTurns([110, 130, 120], [100, 100, 100]), {
    percent: 20,
    low: 10,
    high: 30,
  });
});
