import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PodLoad } from './pod-load.ts';

function podLoad() {
  const clock = { now: 0, cpuMicros: 0 };
  const changes: boolean[] = [];
  const load = new PodLoad({
    now: () => clock.now,
    cpuMicros: () => clock.cpuMicros,
    onChange: isBusy => changes.push(isBusy),
  });
  /** Advances the clock by `ms`, during which the process uses `share` of a core; then a call arrives. */
  const pass = (ms: number, share: number) => {
    clock.now += ms;
    clock.cpuMicros += ms * 1000 * share;
    load.called();
  };
  return { load, changes, pass };
}

test('a pod is busy from 60 % of a processor until it uses less than 20 %', () => {
  const { load, changes, pass } = podLoad();
  pass(1_000, 0.59);
  assert.deepEqual(changes, []);
  pass(1_000, 0.6);
  assert.deepEqual(changes, [true]);
  // Clients now share their calls with other pods; they must not all return at once.
  pass(1_000, 0.3);
  pass(1_000, 0.2);
  assert.deepEqual([changes, load.isBusy], [[true], true]);
  pass(1_000, 0.19);
  assert.deepEqual([changes, load.isBusy], [[true, false], false]);
});

test('the load is measured over at least a second', () => {
  const { changes, pass } = podLoad();
  for (let call = 0; call < 9; call++) pass(100, 1);
  assert.deepEqual(changes, []);
  pass(100, 1);
  assert.deepEqual(changes, [true]);
});

test('a pod that was idle for long is not busy after its first call', () => {
  const { changes, pass } = podLoad();
  pass(60_000, 0.01);
  pass(900, 1);
  assert.deepEqual(changes, []);
});
