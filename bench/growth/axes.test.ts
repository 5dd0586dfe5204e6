import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axes, chooseAxes } from './axes.ts';

const listSteps = (most: readonly string[], only: readonly string[] = []) =>
  Object.fromEntries(chooseAxes({ only, most, hasGateways: true }).map(({ name, steps }) => [name, steps]));

test('axes are chosen by name, and their steps by a largest value', () => {
  assert.deepEqual(listSteps(['objects=20000', 'watchers=999'], ['objects', 'watchers']), {
    objects: [1_000, 5_000, 20_000],
    watchers: [100, 300],
  });
  assert.deepEqual(
    Object.keys(listSteps([])),
    axes.map(({ name }) => name),
  );
});

test('an unknown axis or step is refused', () => {
  for (const [only, most, message] of [
    [['sheep'], [], /no axis is called sheep; there are watchers,/],
    [[], ['sheep=1'], /no axis is called sheep/],
    [[], ['objects'], /must be objects=number/],
    [[], ['objects=many'], /must be objects=number/],
    [[], ['objects=999'], /at least 1000, which is the first step/],
    [['watchers'], ['objects=5000'], /objects has a greatest step and is not chosen/],
  ] as const)
    assert.throws(() => listSteps(most, only), message);
});

test('the standalone form has no axis of gateways', () => {
  const choice = { most: [], hasGateways: false };
  assert.ok(!chooseAxes({ ...choice, only: [] }).some(({ name }) => name === 'gateways'));
  assert.throws(() => chooseAxes({ ...choice, only: ['gateways'] }), /no axis is called gateways/);
});

test('each axis changes one setting, in rising steps', () => {
  for (const { name, grows, steps, base } of axes) {
    assert.deepEqual(
      steps.toSorted((a, b) => a - b),
      steps,
      name,
    );
    assert.ok(grows in base && steps.length >= 4, name);
  }
});
