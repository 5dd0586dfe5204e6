import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../fuzz/random.ts';
import { planFaults, smallDiskNames } from './plan-faults.ts';

for (const ha of [false, true]) {
  const form = ha ? 'with backends of three' : 'with one of each backend';
  const plan = (seed: number) => {
    const faults = planFaults(createRandom(seed), { ha });
    return Array.from({ length: 300 }, () => faults.next().value);
  };

  test(`a seed gives the same faults each time, and another seed gives others, ${form}`, () => {
    assert.deepEqual(plan(7), plan(7));
    assert.notDeepEqual(plan(7), plan(8));
  });

  test(`every part is killed and frozen within a few seeds, ${form}`, () => {
    const done = new Set(
      [1, 2, 3, 4].flatMap(plan).flatMap(({ kind, targets }) => targets.map(name => `${kind} ${name}`)),
    );
    const pods = [
      'gateway',
      'storage',
      'admission',
      'token-review',
      'webhook-dispatch',
      'controller-manager',
    ];
    const members = ha ? [1, 2, 3] : [1];
    const all = [
      ...pods.flatMap(pod => [`${pod}-1`, `${pod}-2`]),
      ...members.flatMap(number => [`etcd-${number}`, `kafka-${number}`]),
      ...['redis-1', 'publisher'],
    ];
    for (const name of all)
      for (const kind of ['kill', 'freeze']) assert.ok(done.has(`${kind} ${name}`), `${kind} ${name}`);
    for (const name of smallDiskNames({ ha })) assert.ok(done.has(`fill ${name}`), `fill ${name}`);
    for (const name of ['publisher', 'gateway-1', 'kafka-1', 'redis-1'])
      assert.ok(done.has(`clock ${name}`), `clock ${name}`);
    assert.equal(done.has('cut etcd-2'), ha);
    for (const kind of ['kill', 'freeze', 'cut'])
      for (const role of ['etcd-leader', 'etcd-follower'])
        assert.equal(done.has(`${kind} ${role}`), ha, `${kind} ${role}`);
    for (const kind of ['kill', 'freeze'])
      assert.equal(done.has(`${kind} topic-leader`), ha, `${kind} topic-leader`);
  });

  test(`only clocks are stepped, ahead and back, ${form}`, () => {
    const faults = plan(3);
    const steps = faults.filter(({ kind }) => kind === 'clock').map(({ stepMs = 0 }) => stepMs);
    assert.ok(steps.some(step => step > 0) && steps.some(step => step < 0));
    assert.ok(faults.every(({ kind, stepMs }) => (kind === 'clock') === (stepMs !== undefined)));
  });
}
