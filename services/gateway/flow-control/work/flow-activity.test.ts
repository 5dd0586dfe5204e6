import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFlow } from '../fair-queuing/flow.ts';
import { noMeters } from '../test-drivers/no-meters.ts';
import { FlowActivity } from './loop-gate.ts';

suite('requests of other flows', () => {
  const [busy, quiet, third] = ['busy', 'quiet', 'third'].map(distinguisher =>
    createFlow({ schema: 's', distinguisher }, noMeters),
  ) as [ReturnType<typeof createFlow>, ReturnType<typeof createFlow>, ReturnType<typeof createFlow>];

  test('are all but those of the flow with the most', () => {
    const activity = new FlowActivity();
    assert.equal(activity.others(0), 0);
    for (let i = 0; i < 20; i++) activity.seen(busy, i);
    assert.equal(activity.others(20), 0);
    activity.seen(quiet, 21);
    activity.seen(third, 22);
    activity.seen(quiet, 23);
    assert.equal(activity.others(24), 3);
  });

  test('count in the period in which they came and in the next one', () => {
    const activity = new FlowActivity();
    for (const flow of [busy, busy, quiet]) activity.seen(flow, 0);
    activity.seen(busy, 500);
    assert.equal(activity.others(999), 1);
    assert.equal(activity.others(1_000), 0);
  });

  test('do not count after a time without requests', () => {
    const activity = new FlowActivity();
    for (const flow of [busy, quiet]) activity.seen(flow, 0);
    assert.equal(activity.others(2_000), 0);
    activity.seen(busy, 2_001);
    assert.equal(activity.others(2_002), 0);
  });
});
