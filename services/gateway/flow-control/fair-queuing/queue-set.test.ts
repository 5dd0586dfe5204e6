import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HandClock } from '../test-drivers/hand-clock.ts';
import { noMeters } from '../test-drivers/no-meters.ts';
import { type Decision, SeatRequest } from './fair-queue.ts';
import { createFlow, type Flow } from './flow.ts';
import { dealHand, QueueSet, type Queuing, type StartGate } from './queue-set.ts';
import { oneSeat, type WorkEstimate } from './work-estimate.ts';

const openGate: StartGate = { admits: () => true, finished: () => {}, pause: () => undefined };
const usualQueuing: Queuing = { queues: 64, handSize: 6, queueLengthLimit: 50 };

interface Setup {
  readonly seats?: number;
  readonly queuing?: Queuing | undefined;
  readonly gate?: StartGate;
}

function setUp(setup: Setup = {}) {
  const { seats = 4, gate = openGate } = setup;
  const clock = new HandClock();
  const set = new QueueSet({ clock, gate, waitLimitMs: 15_000 });
  set.configure('queuing' in setup ? setup.queuing : usualQueuing);
  set.limitSeats(seats);
  const enter = (flow: Flow, work: WorkEstimate = oneSeat) => {
    const request = new SeatRequest(flow, work);
    const entered = set.enter(request);
    const state: { request: SeatRequest; decision: Decision | 'wait' } = { request, decision: entered };
    request.decided = decision => {
      state.decision = decision;
    };
    return state;
  };
  return { clock, set, enter };
}

function flowFromDistinguisher(distinguisher: string): Flow {
  return createFlow({ schema: 's', distinguisher }, noMeters);
}

suite('a queue set', () => {
  test('executes as many requests as it has seats, and queues others', () => {
    const { set, enter } = setUp({ seats: 2 });
    const flow = flowFromDistinguisher('a');
    const [first, second, third] = [enter(flow), enter(flow), enter(flow)];
    assert.deepEqual([first.decision, second.decision, third.decision], ['execute', 'execute', 'wait']);
    assert.deepEqual([set.executing, set.waiting, set.seatsInUse], [2, 1, 2]);
    set.finish(first.request);
    assert.equal(third.decision, 'execute');
    set.finish(second.request);
    set.finish(third.request);
    assert.ok(set.isIdle);
  });

  test('starts the next request of a quiet flow first, however many a busy flow has queued', () => {
    const { clock, set, enter } = setUp({ seats: 2 });
    const elephant = flowFromDistinguisher('elephant');
    const requests = Array.from({ length: 100 }, () => enter(elephant));
    const running = () => requests.filter(({ decision }) => decision === 'execute');
    // The elephant is well ahead of its share.
    for (let i = 0; i < 20; i++) {
      clock.turn(5);
      const [oldest] = running();
      assert.ok(oldest);
      requests.splice(requests.indexOf(oldest), 1);
      set.finish(oldest.request);
    }
    const mouse = enter(flowFromDistinguisher('mouse'));
    assert.equal(mouse.decision, 'wait');
    let finished = 0;
    while (mouse.decision === 'wait') {
      clock.turn(5);
      const [oldest] = running();
      assert.ok(oldest);
      requests.splice(requests.indexOf(oldest), 1);
      set.finish(oldest.request);
      finished++;
    }
    // Those that execute already, and one for each queue of the elephant's hand, may come first.
    assert.ok(finished <= usualQueuing.handSize + 2, `${finished} requests came first`);
  });

  test('gives equal shares to two busy flows in different queues, whatever the width of their requests', () => {
    const { clock, set, enter } = setUp({
      seats: 10,
      queuing: { queues: 512, handSize: 1, queueLengthLimit: 1000 },
    });
    const wide: WorkEstimate = { initialSeats: 5, finalSeats: 0, finalMs: 0 };
    const flows = [flowFromDistinguisher('narrow'), flowFromDistinguisher('wide')] as const;
    const requests = Array.from({ length: 400 }, () => [enter(flows[0]), enter(flows[1], wide)]).flat();
    const served = { narrow: 0, wide: 0 };
    let open = requests;
    for (let i = 0; i < 60; i++) {
      clock.turn(3);
      const executing = open.filter(({ decision }) => decision === 'execute');
      open = open.filter(({ decision }) => decision !== 'execute');
      for (const { request } of executing) {
        served[request.flow === flows[0] ? 'narrow' : 'wide'] += request.seats;
        set.finish(request);
      }
    }
    const ratio = served.wide / served.narrow;
    assert.ok(ratio > 0.7 && ratio < 1.4, JSON.stringify(served));
  });

  test('corrects estimates, so that a flow with longer requests starts fewer', () => {
    const { clock, set, enter } = setUp({
      seats: 2,
      queuing: { queues: 512, handSize: 1, queueLengthLimit: 1000 },
    });
    const quick = flowFromDistinguisher('quick');
    const slow = flowFromDistinguisher('slow');
    const open = new Set(Array.from({ length: 300 }, () => [enter(quick), enter(slow)]).flat());
    const started = { quick: 0, slow: 0 };
    const ends = new Map<SeatRequest, number>();
    for (let now = 0; now < 200; now++) {
      for (const state of open) {
        if (state.decision !== 'execute') continue;
        open.delete(state);
        started[state.request.flow === quick ? 'quick' : 'slow']++;
        ends.set(state.request, now + (state.request.flow === quick ? 1 : 9));
      }
      clock.turn(1);
      for (const [request, end] of ends) {
        if (end > now + 1) continue;
        ends.delete(request);
        set.finish(request);
      }
    }
    assert.ok(started.quick > 4 * started.slow, JSON.stringify(started));
  });

  test('gives wide requests all their seats, and runs a request wider than the set alone', () => {
    const { set, enter } = setUp({ seats: 4 });
    const three = enter(flowFromDistinguisher('a'), { initialSeats: 3, finalSeats: 0, finalMs: 0 });
    const two = enter(flowFromDistinguisher('b'), { initialSeats: 2, finalSeats: 0, finalMs: 0 });
    assert.deepEqual([three.decision, two.decision, set.seatsInUse], ['execute', 'wait', 3]);
    const ten = enter(flowFromDistinguisher('c'), { initialSeats: 10, finalSeats: 0, finalMs: 0 });
    set.finish(three.request);
    assert.deepEqual([two.decision, ten.decision], ['execute', 'wait']);
    set.finish(two.request);
    assert.deepEqual([ten.decision, set.seatsInUse], ['execute', 10]);
    assert.equal(enter(flowFromDistinguisher('d')).decision, 'wait');
  });

  test('occupies the seats of a write until its events are delivered', () => {
    const { clock, set, enter } = setUp({ seats: 1 });
    const write = enter(flowFromDistinguisher('a'), { initialSeats: 1, finalSeats: 1, finalMs: 5 });
    const next = enter(flowFromDistinguisher('b'));
    set.finish(write.request);
    assert.deepEqual([set.executing, set.seatsInUse, next.decision], [0, 1, 'wait']);
    clock.turn(5);
    assert.equal(next.decision, 'execute');
  });

  test('rejects requests for full queues and after the maximum wait', () => {
    const { clock, set, enter } = setUp({
      seats: 1,
      queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 },
    });
    const flow = flowFromDistinguisher('a');
    const first = enter(flow);
    const waiting = [enter(flow), enter(flow)];
    assert.equal(enter(flow).decision, 'queue-full');
    clock.turn(14_999);
    assert.deepEqual(
      waiting.map(({ decision }) => decision),
      ['wait', 'wait'],
    );
    clock.turn(1);
    assert.deepEqual(
      waiting.map(({ decision }) => decision),
      ['time-out', 'time-out'],
    );
    assert.deepEqual(set.counts, { dispatched: 1, rejected: 1, timedOut: 2, cancelled: 0 });
    set.finish(first.request);
    assert.ok(set.isIdle);
  });

  test('refuses what waits when it is told to, and nothing that executes', () => {
    const { set, enter } = setUp({ seats: 1 });
    const flow = flowFromDistinguisher('a');
    const [first, waiting] = [enter(flow), enter(flow)];
    set.refuseWaiting();
    assert.deepEqual([first.decision, waiting.decision], ['execute', 'time-out']);
    assert.deepEqual(set.counts, { dispatched: 1, rejected: 0, timedOut: 1, cancelled: 0 });
    set.finish(first.request);
    assert.ok(set.isIdle);
  });

  test('rejects requests without a free seat if it has no queues', () => {
    const { set, enter } = setUp({ seats: 1, queuing: undefined });
    const first = enter(flowFromDistinguisher('a'));
    assert.equal(enter(flowFromDistinguisher('b')).decision, 'concurrency-limit');
    set.finish(first.request);
    assert.equal(enter(flowFromDistinguisher('b')).decision, 'execute');
  });

  test('removes the request of a disconnected client', () => {
    const { set, enter } = setUp({ seats: 1 });
    const first = enter(flowFromDistinguisher('a'));
    const second = enter(flowFromDistinguisher('a'));
    set.cancel(second.request);
    set.cancel(first.request);
    assert.deepEqual([set.waiting, set.executing, set.counts.cancelled], [0, 1, 1]);
  });

  test('continues answers that have begun, even while other requests are rejected', () => {
    const { clock, set, enter } = setUp({
      seats: 1,
      queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 },
    });
    const flow = flowFromDistinguisher('a');
    const first = enter(flow);
    enter(flow);
    assert.equal(enter(flow).decision, 'queue-full');
    const rest = new SeatRequest(flow, oneSeat, { isContinuation: true });
    let decision = set.enter(rest);
    assert.equal(decision, 'wait');
    rest.decided = outcome => {
      decision = outcome;
    };
    clock.turn(60_000);
    set.finish(first.request);
    assert.equal(decision, 'execute');
  });

  test('keeps queued and executing requests when its queues and seats change', () => {
    const { set, enter } = setUp({ seats: 1 });
    const flow = flowFromDistinguisher('a');
    const first = enter(flow);
    const second = enter(flow);
    set.configure({ queues: 2, handSize: 1, queueLengthLimit: 1 });
    flow.hand = undefined;
    set.limitSeats(2);
    assert.equal(second.decision, 'execute');
    set.finish(first.request);
    set.finish(second.request);
    assert.ok(set.queues.length <= 64 && set.isIdle);
    set.configure({ queues: 3, handSize: 2, queueLengthLimit: 1 });
    assert.equal(set.queues.length, 3);
  });

  test('delays a busy flow while the gate is closed, but no flow without executing requests', () => {
    const gate = {
      ...openGate,
      most: 1,
      admits: ({ executing }: Flow) => executing === 0 || executing < gate.most,
    };
    const { set, enter } = setUp({ seats: 10, gate });
    const busy = flowFromDistinguisher('busy');
    const [first, second, third] = [enter(busy), enter(busy), enter(busy)];
    assert.deepEqual([first.decision, second.decision], ['execute', 'wait']);
    assert.equal(enter(flowFromDistinguisher('quiet')).decision, 'execute');
    gate.most = 2;
    set.retry();
    const states = [second.decision, third.decision].toSorted();
    assert.deepEqual(states, ['execute', 'wait']);
  });

  test('reports executed requests and queue lengths to the gate, and starts no request of a throttled flow', () => {
    const finished: [waiting: number, ranMs: number][] = [];
    const gate: StartGate = {
      admits: ({ executing, isThrottled }) => executing === 0 && !isThrottled,
      finished(flow, ranMs) {
        finished.push([flow.waiting, ranMs]);
        flow.isThrottled = true;
      },
      pause: (_flow, ranMs) => (ranMs > 2 ? Promise.resolve() : undefined),
    };
    const { clock, set, enter } = setUp({ seats: 10, gate });
    const flow = flowFromDistinguisher('busy');
    const [first, second] = [enter(flow), enter(flow)];
    clock.turn(2);
    assert.equal(set.pause(first.request), undefined);
    clock.turn(3);
    assert.ok(set.pause(first.request), 'the gate knows how long it has run');
    set.finish(first.request);
    assert.deepEqual(finished, [[1, 5]]);
    set.retry();
    assert.equal(second.decision, 'wait');
    flow.isThrottled = false;
    set.retry();
    assert.equal(second.decision, 'execute');
    assert.equal(flow.waiting, 0);
    const third = enter(flow);
    set.cancel(third.request);
    assert.equal(flow.waiting, 0);
  });

  test('limits the queues of a flow that the gate delays', () => {
    const gate: StartGate = { ...openGate, admits: ({ executing }) => executing === 0 };
    const { enter } = setUp({
      seats: 10,
      gate,
      queuing: { queues: 8, handSize: 2, queueLengthLimit: 5 },
    });
    const decisions = Array.from({ length: 5 }, (_, i) => enter(flowFromDistinguisher(`quiet-${i}`)));
    const busy = flowFromDistinguisher('busy');
    const held = Array.from({ length: 20 }, () => enter(busy).decision);
    assert.ok(decisions.every(({ decision }) => decision === 'execute'));
    assert.equal(held.filter(decision => decision === 'execute').length, 1);
    assert.equal(held.filter(decision => decision === 'queue-full').length, 9);
  });
});

test('a hand has different queues, the same ones each time for a flow', () => {
  for (const [queues, handSize] of [
    [1, 1],
    [16, 4],
    [64, 6],
    [128, 6],
    [12, 12],
  ] as const) {
    for (let i = 0; i < 50; i++) {
      const hand = dealHand(`flow-${i}`, { queues, handSize });
      assert.equal(new Set(hand).size, handSize);
      assert.ok(hand.every(queue => Number.isInteger(queue) && queue >= 0 && queue < queues));
      assert.deepEqual(dealHand(`flow-${i}`, { queues, handSize }), hand);
    }
  }
});

test('few flows have all their queues in the hand of another flow', () => {
  const elephant = new Set(dealHand('elephant', { queues: 128, handSize: 6 }));
  const squashed = Array.from({ length: 5_000 }, (_, i) =>
    dealHand(`mouse-${i}`, { queues: 128, handSize: 6 }),
  );
  assert.equal(squashed.filter(hand => hand.every(queue => elephant.has(queue))).length, 0);
});

test('every queue is dealt about equally often', () => {
  const counts = new Array<number>(16).fill(0);
  for (let i = 0; i < 4_000; i++)
    for (const queue of dealHand(`flow-${i}`, { queues: 16, handSize: 4 }))
      counts[queue] = (counts[queue] ?? 0) + 1;
  for (const count of counts) assert.ok(count > 800 && count < 1_200, String(count));
});
