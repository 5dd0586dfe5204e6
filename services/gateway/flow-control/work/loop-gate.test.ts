import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFlow, type Flow } from '../fair-queuing/flow.ts';
import { noMeters } from '../test-drivers/no-meters.ts';
import { FlowActivity, LoopGate } from './loop-gate.ts';
import type { ThreadLoad } from './thread-load.ts';

const idle: ThreadLoad = { busy: 0, waited: 0 };

function setUp() {
  const state = { now: 0, opened: 0, look: undefined as (() => void) | undefined };
  let load = idle;
  const limits: number[] = [];
  const timers: { ms: number; callback: () => void }[] = [];
  const busy = flowWith(16);
  const gate = new LoopGate({
    clock: {
      now: () => state.now,
      after(ms, callback) {
        timers.push({ ms, callback });
        return () => assert.fail('no throttle is cut short');
      },
    },
    load: () => load,
    every: (_ms, callback) => {
      state.look = callback;
      return () => {
        state.look = undefined;
      };
    },
    onOpen: () => state.opened++,
    onChange: most => limits.push(most),
  });
  return {
    state,
    gate,
    timers,
    limits,
    /** Lets the gate look so many times at a load, while requests are held back. */
    look(seen: ThreadLoad, times = 1) {
      load = seen;
      for (let i = 0; i < times; i++) {
        gate.admits(busy);
        state.look?.();
      }
    },
    /** Makes a busy flow active, and another one with so many requests, one after the other. */
    share(requests: number) {
      gate.seen(busy);
      for (let i = 0; i < requests; i++) gate.seen(flowWith(0));
    },
  };
}

function flowWith(executing: number): Flow {
  return { ...createFlow({ schema: 's', distinguisher: 'b' }, noMeters), executing };
}

suite('the gate of the event loop', () => {
  test('closes in steps while the loop is busy, down to one request of a single flow, and opens again', () => {
    const { state, gate, limits, look } = setUp();
    look({ busy: 1, waited: 1 }, 10);
    assert.equal(gate.most, 1);
    assert.deepEqual(limits, [32, 16, 8, 4, 2, 1]);
    assert.deepEqual([gate.admits(flowWith(0)), gate.admits(flowWith(1))], [true, false]);
    look(idle, 60);
    assert.ok(gate.admits(flowWith(100)));
    assert.ok(state.opened > 0);
  });

  test('leaves most of the loop to a single flow, and keeps half of it free if there are several', () => {
    const { state, gate, look } = setUp();
    gate.seen(flowWith(0));
    look({ busy: 0.8, waited: 0 });
    assert.ok(gate.admits(flowWith(100)));
    state.now = 10;
    gate.seen(flowWith(100));
    gate.seen(flowWith(0));
    look({ busy: 0.8, waited: 0 });
    assert.equal(gate.admits(flowWith(100)), false);
    state.now = 5_000;
    look({ busy: 0.8, waited: 0 }, 60);
    assert.ok(gate.admits(flowWith(100)), 'the other flow has gone');
  });

  test('closes while the thread waits for a processor if other flows make more than a few requests', () => {
    const { gate, look, share } = setUp();
    look({ busy: 0.1, waited: 0.9 }, 10);
    assert.ok(gate.admits(flowWith(100)), 'one flow disturbs no other');
    share(4);
    look({ busy: 0.1, waited: 0.9 }, 10);
    assert.ok(gate.admits(flowWith(100)), 'a few requests of others');
    share(5);
    look({ busy: 0.1, waited: 0.9 }, 20);
    assert.equal(gate.most, 1 / 8);
    look({ busy: 0.1, waited: 0.08 }, 20);
    assert.equal(gate.most, 1 / 8, 'between both bounds nothing changes');
    look({ busy: 0.1, waited: 0.05 }, 10);
    assert.equal(gate.most, 1);
  });

  test('closes at once for new flows while the loop is busy, and further for more than a few', () => {
    const { state, gate, limits, look, share } = setUp();
    look({ busy: 0.9, waited: 0 });
    share(1);
    assert.deepEqual(limits, [1]);
    share(3);
    assert.deepEqual(limits, [1]);
    share(1);
    assert.deepEqual([limits, state.opened], [[1, 1 / 4], 0]);
    look({ busy: 0.9, waited: 0 });
    assert.equal(gate.most, 1 / 8);
    share(10);
    assert.equal(gate.most, 1 / 8, 'it does not open for that');
  });

  test('holds no flow back for others that are alike, nor a quiet flow for a busy one', () => {
    const { gate, timers, look, share } = setUp();
    const alike = Array.from({ length: 5 }, () => flowWith(20));
    for (let i = 0; i < 20; i++) for (const flow of alike) gate.seen(flow);
    look({ busy: 0.5, waited: 0.9 }, 20);
    assert.equal(gate.most, 1024);
    for (let i = 0; i < 20; i++) share(5);
    look({ busy: 0.5, waited: 0.9 }, 20);
    assert.equal(gate.most, 1 / 8);
    const [quiet, busy] = [4, 16].map(executing => ({ ...flowWith(executing), waiting: 1 })) as [Flow, Flow];
    quiet.waiting = 0;
    assert.deepEqual(
      [quiet, busy].map(flow => gate.admits(flow)),
      [true, false],
    );
    quiet.executing = 0;
    quiet.waiting = 1;
    gate.finished(quiet, 10);
    assert.equal(timers.length, 0);
  });

  test('holds no flow back while one without a backlog asks for as much, and opens at once for that', () => {
    const { state, gate, look, share } = setUp();
    const quiet = flowWith(1);
    share(5);
    gate.seen(quiet);
    look({ busy: 1, waited: 1 }, 20);
    assert.equal(gate.most, 1 / 8, 'what new flows ask for is not known');
    state.now = 500;
    share(5);
    gate.seen(quiet);
    const opened = state.opened;
    look({ busy: 1, waited: 1 });
    assert.deepEqual([gate.most, state.opened - opened], [1024, 1]);
    state.now = 1_500;
    share(5);
    look({ busy: 1, waited: 1 }, 20);
    assert.equal(gate.most, 1 / 8, 'that flow has gone');
  });

  test('does not close for new flows while there is enough time for all', () => {
    const { gate, look, share } = setUp();
    look({ busy: 0.2, waited: 0 });
    share(20);
    assert.equal(gate.most, 1024);
  });

  test('throttles a flow between two requests while others wait', () => {
    const { state, gate, timers, look, share } = setUp();
    state.now = 100_000;
    share(5);
    look({ busy: 1, waited: 0 }, 20);
    assert.equal(gate.most, 1 / 8);
    const flow = flowWith(0);
    gate.finished(flow, 10);
    assert.ok(gate.admits(flow), 'a flow that sends one request after the other is not throttled');
    flow.waiting = 8;
    flow.executing = 1;
    gate.finished(flow, 10);
    assert.equal(timers.length, 0, 'another request of it executes');
    flow.executing = 0;
    gate.finished(flow, 10);
    const opened = state.opened;
    assert.deepEqual([timers[0]?.ms, gate.admits(flow)], [70, false]);
    timers[0]?.callback();
    assert.deepEqual([state.opened - opened, gate.admits(flow)], [1, true]);
    state.now += 60_000;
    gate.finished(flow, 60_000);
    assert.equal(timers[1]?.ms, 1_000, 'a throttle has a bound');
  });

  test('lets a throttled flow go on once the limit is one request or more', () => {
    const { state, gate, look, share } = setUp();
    state.now = 100_000;
    share(5);
    look({ busy: 1, waited: 0 }, 20);
    const flow = flowWith(0);
    flow.waiting = 8;
    gate.finished(flow, 60_000);
    look({ busy: 0, waited: 0 }, 5);
    assert.deepEqual([gate.most < 1, gate.admits(flow)], [true, false]);
    look({ busy: 0, waited: 0 }, 10);
    assert.deepEqual([gate.most >= 1, gate.admits(flow)], [true, true]);
  });

  test('throttles a long answer between its parts, by the work since the last throttle', async () => {
    const { state, gate, timers, look, share } = setUp();
    state.now = 10_000;
    share(5);
    look({ busy: 1, waited: 0 }, 20);
    const flow = { ...flowWith(1), waiting: 8 };
    const part = gate.pause(flow, 10);
    assert.equal(timers[0]?.ms, 70);
    state.now += 70;
    timers[0]?.callback();
    await part;
    state.now += 4;
    gate.finished({ ...flow, executing: 0 }, 84);
    assert.equal(timers[1]?.ms, 28);
    assert.equal(gate.pause({ ...flow, waiting: 0 }, 84), undefined, 'nothing else of it waits');
  });

  test('throttles no flow while other flows make few requests', () => {
    const { gate, timers, look, share } = setUp();
    share(4);
    look({ busy: 1, waited: 1 }, 20);
    assert.equal(gate.most, 8);
    const flow = { ...flowWith(0), waiting: 1 };
    gate.finished(flow, 10);
    assert.ok(gate.admits(flow));
    assert.equal(timers.length, 0);
  });

  test('measures the load only while there is something to delay', () => {
    const { state, gate } = setUp();
    gate.admits(flowWith(0));
    assert.equal(state.look, undefined);
    gate.admits(flowWith(1));
    const looked = state.look as unknown as () => void; // Assigned by `every`.
    assert.ok(looked);
    for (let i = 0; i < 2; i++) looked();
    assert.equal(state.look, undefined);
  });
});

suite('requests of quiet flows', () => {
  const count = (activity: FlowActivity, flow: Flow, now: number, isExempt = false) =>
    activity.seen(flow, { now, isExempt });

  test('are those of flows with a quarter of the requests under way of the busiest one, or fewer', () => {
    const activity = new FlowActivity();
    const [busy, quiet] = [15, 0].map(flowWith) as [Flow, Flow];
    for (const flow of [busy, quiet]) count(activity, flow, 0);
    assert.equal(activity.quietRequests(0), 0, 'no flow has many');
    busy.waiting = 1;
    for (const flow of [quiet, flowWith(3), flowWith(4), busy]) count(activity, flow, 1);
    assert.equal(activity.quietRequests(2), 2);
    assert.deepEqual(
      [quiet, flowWith(4), flowWith(5), busy].map(flow => activity.isQuiet(flow)),
      [true, true, false, false],
    );
    busy.executing = 14;
    assert.equal(activity.isQuiet(quiet), false, 'the busiest flow has few under way by now');
  });

  test('do not exist beside a flow that is never held back', () => {
    const activity = new FlowActivity();
    count(activity, flowWith(100), 0, true);
    count(activity, flowWith(0), 1);
    assert.deepEqual([activity.quietRequests(2), activity.isQuiet(flowWith(1))], [0, false]);
  });

  test('count in the period of their arrival and in the next one', () => {
    const activity = new FlowActivity();
    for (const flow of [flowWith(16), flowWith(0)]) count(activity, flow, 0);
    count(activity, flowWith(16), 500);
    assert.equal(activity.quietRequests(999), 1);
    assert.equal(activity.quietRequests(1_000), 0);
  });

  test('that ask for half of what the busiest flow asks for, or more, are alike', () => {
    const activity = new FlowActivity();
    const [busy, first, second] = [16, 0, 1].map(flowWith) as [Flow, Flow, Flow];
    const ask = (now: number, alike: number) => {
      for (const [flow, times] of [
        [busy, 6],
        [first, alike],
        [second, 2],
      ] as const)
        for (let i = 0; i < times; i++) count(activity, flow, now);
    };
    ask(0, 3);
    assert.deepEqual([activity.hasAlike(499), activity.quietRequests(499)], [false, 5]);
    ask(500, 3);
    assert.deepEqual([activity.hasAlike(999), activity.quietRequests(999)], [true, 5]);
    ask(1_000, 0);
    assert.deepEqual([activity.hasAlike(1_499), activity.quietRequests(1_499)], [true, 2]);
    ask(1_500, 0);
    assert.deepEqual([activity.hasAlike(1_500), activity.quietRequests(1_500)], [false, 2]);
  });

  test('are alike only after a whole period of the busiest flow', () => {
    const activity = new FlowActivity();
    const [busy, quiet] = [16, 0].map(flowWith) as [Flow, Flow];
    for (const [now, flows] of [
      [0, [quiet]],
      [499, [busy, quiet]],
      [500, [busy, quiet]],
    ] as const)
      for (const flow of flows) count(activity, flow, now);
    assert.equal(activity.hasAlike(999), false);
    for (const flow of [busy, quiet]) count(activity, flow, 1_000);
    assert.equal(activity.hasAlike(1_000), true);
  });

  test('of flows beyond the number that is counted are not alike', () => {
    const activity = new FlowActivity();
    const busy = flowWith(16);
    const names = Array.from({ length: 5_000 }, () => flowWith(0));
    for (const now of [0, 500]) {
      count(activity, busy, now);
      for (const flow of names) count(activity, flow, now);
    }
    assert.equal(activity.hasAlike(999), true);
    count(activity, busy, 1_500);
    for (const flow of names.slice(-10)) count(activity, flow, 1_500);
    assert.deepEqual([activity.hasAlike(2_000), activity.quietRequests(2_000)], [false, 10]);
  });

  test('are alike once the busiest flow has asked for no more than they do for minutes', () => {
    const activity = new FlowActivity();
    const [busy, quiet] = [64, 0].map(flowWith) as [Flow, Flow];
    for (let i = 0; i < 40; i++) count(activity, busy, 0);
    let alikeAt = Number.POSITIVE_INFINITY;
    for (let now = 500; now < 400_000; now += 500) {
      for (let i = 0; i < 10; i++) count(activity, quiet, now);
      if (activity.hasAlike(now)) alikeAt = Math.min(alikeAt, now);
    }
    assert.ok(Math.abs(alikeAt / 60_000 - 5) < 0.1, `after ${alikeAt} ms`);
  });

  test('do not count after a period without requests', () => {
    const activity = new FlowActivity();
    for (const flow of [flowWith(16), flowWith(0)]) count(activity, flow, 0);
    assert.equal(activity.quietRequests(2_000), 0);
    count(activity, flowWith(16), 2_001);
    assert.equal(activity.quietRequests(2_002), 0);
  });
});
