import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSeeds } from './seeds.ts';

test('a failure has its seed and how to repeat it, and ends the run', async context => {
  const numbers: number[] = [];
  const seeds = { what: 'asked for', first: 5, count: 3 };
  const run = runSeeds(context, { folder: 'tests/round-trips', kind: 'Pod', seeds }, async random => {
    numbers.push(random(1000));
    if (numbers.length === 2) throw new Error('Pod: get as YAML: spec: sent 1, found 2');
  });
  await assert.rejects(run, {
    message: `seed 6: Pod: get as YAML: spec: sent 1, found 2
repeat it with: ROUND_TRIP_SEED=6 ROUND_TRIP_KIND=Pod ROUND_TRIP_OBJECTS=1 npm test -- tests/round-trips`,
  });
  assert.equal(numbers.length, 2);
  assert.notEqual(numbers[0], numbers[1]);
});
