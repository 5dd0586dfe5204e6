import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axes } from './axes.ts';
import { findGrowth, findMemoryGrowth, powerFrom } from './find-growth.ts';
import { createStep } from './test-drivers/create-step.ts';

const axis = axes.find(({ name }) => name === 'watchers');

test('the exponent of a power curve is found from its points', () => {
  const curve = (power: number) => [1, 10, 100, 1000].map(x => [x, 3 * x ** power] as const);
  for (const power of [-0.5, 0, 1, 2]) {
    const found = powerFrom(curve(power));
    assert.ok(found !== undefined && Math.abs(found - power) < 1e-9, `${power}: ${found}`);
  }
  assert.equal(powerFrom([[1, 5]]), undefined);
  assert.equal(powerFrom([]), undefined);
});

test('growth above the permitted exponent is reported, and steps whose load was missed do not count', () => {
  assert.ok(axis);
  const power = (micros: readonly number[], isMissed = false) =>
    findGrowth(
      axis,
      micros.map((own, i) => createStep({ value: 10 ** i, own, isMissed: isMissed && i === 2 })),
    );
  assert.deepEqual(
    power([5, 5, 5]).map(({ isTooFast }) => isTooFast),
    [false],
  );
  assert.deepEqual(
    power([5, 10, 20]).map(({ isTooFast }) => isTooFast),
    [true],
  );
  assert.deepEqual(
    power([5, 5, 500], true).map(({ isTooFast }) => isTooFast),
    [false],
  );
});

test('the memory of one more unit is the growth from the first step to the last, per unit', () => {
  const steps = [createStep({ value: 100, residentMb: 100 }), createStep({ value: 1_100, residentMb: 140 })];
  assert.deepEqual(
    findMemoryGrowth(steps).map(({ process, residentBytes }) => [process, residentBytes]),
    [['gateway-1', 40_000]],
  );
  assert.deepEqual(findMemoryGrowth(steps.slice(0, 1)), []);
});
