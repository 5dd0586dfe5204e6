import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SeatRequest } from '../fair-queuing/fair-queue.ts';
import { createFlow, type Flow } from '../fair-queuing/flow.ts';
import { QueueSet } from '../fair-queuing/queue-set.ts';
import { oneSeat } from '../fair-queuing/work-estimate.ts';
import { HandClock } from '../test-drivers/hand-clock.ts';
import { noMeters } from '../test-drivers/no-meters.ts';
import { LoopGate } from './loop-gate.ts';

/** The work of a request, and the time that it then waits for disks, in ms. */
const workMs = 5;
const diskMs = 15;
/** Requests a second that the machine can do. */
const capacity = 1_000 / workMs;
/** The part of the time in which the gateway's own thread is busy: it is short of nothing but processors. */
const busy = 0.2;

/** The outcomes of a flow's requests. */
interface Outcome {
  answered: number;
  refused: number;
  /** The longest time in a queue, in ms. */
  waitedMs: number;
}

/** A machine behind a gate: it works on one request after the other, in the order in which they start. */
class Machine {
  readonly clock = new HandClock();
  /** The work of a request now. */
  workMs = workMs;
  readonly #gate: LoopGate;
  readonly #set: QueueSet;
  /** The ends of the requests that have started; it works on the first one. */
  readonly #started: (() => void)[] = [];
  #measuredAt = 0;
  /** Requests that it has done since the last measurement. */
  #done = 0;

  constructor() {
    const { clock } = this;
    const gate = new LoopGate({
      clock,
      load: () => this.#load(),
      every: (ms, callback) => {
        let stop = () => {};
        const repeat = () => {
          stop = clock.after(ms, repeat);
          callback();
        };
        stop = clock.after(ms, repeat);
        return () => stop();
      },
      onOpen: () => this.#set.retry(),
    });
    this.#gate = gate;
    this.#set = new QueueSet({ clock, gate, waitLimitMs: 15_000 });
    this.#set.configure({ queues: 64, handSize: 6, queueLengthLimit: 50 });
    // More than are needed: the shares are the gate's doing.
    this.#set.limitSeats(10_000);
  }

  /** Sends a request; `then` is called when it is answered or refused. */
  send(flow: Flow, outcome: Outcome, then: () => void = () => {}): void {
    const { clock } = this;
    this.#gate.seen(flow);
    const request = new SeatRequest(flow, oneSeat);
    const decided = (decision: string) => {
      outcome.waitedMs = Math.max(outcome.waitedMs, clock.now() - request.arrivedAt);
      if (decision !== 'execute') {
        outcome.refused++;
        return;
      }
      const end = () => {
        outcome.answered++;
        this.#set.finish(request);
        then();
      };
      this.#started.push(() => clock.after(diskMs, end));
      if (this.#started.length === 1) this.#work();
    };
    const entered = this.#set.enter(request);
    if (entered === 'wait') request.decided = decided;
    else decided(entered);
  }

  /** Sends requests of a flow at a rate, which may change, whether or not those before are answered. */
  sendAt(rate: { readonly perSecond: number }, flow: Flow, offsetMs = 0): Outcome {
    const outcome: Outcome = { answered: 0, refused: 0, waitedMs: 0 };
    const next = () => {
      this.clock.after(1_000 / rate.perSecond, next);
      this.send(flow, outcome);
    };
    this.clock.after(offsetMs, next);
    return outcome;
  }

  /** Sends the requests of so many writers, of each one after the other. */
  sendFrom(writers: number, flow: Flow): Outcome {
    const outcome: Outcome = { answered: 0, refused: 0, waitedMs: 0 };
    const next = () => this.send(flow, outcome, next);
    for (let i = 0; i < writers; i++) next();
    return outcome;
  }

  #work(): void {
    this.clock.after(this.workMs, () => {
      this.#done++;
      const [end] = this.#started;
      end?.();
      this.#started.shift();
      if (this.#started.length > 0) this.#work();
    });
  }

  /** The more of the time the machine works, the more often the thread waits for it. */
  #load() {
    const now = this.clock.now();
    const worked = (this.#done * this.workMs) / Math.max(1, now - this.#measuredAt);
    this.#measuredAt = now;
    this.#done = 0;
    return { busy, waited: Math.min(1, worked) ** 2 };
  }
}

function createFlows(count: number): Flow[] {
  return Array.from({ length: count }, (_, i) =>
    createFlow({ schema: 's', distinguisher: `u${i}` }, noMeters),
  );
}

/** Eight flows that ask for the same: for a part of what the machine can do, the first four with a backlog. */
function setUpAlike(part: number, backlog: number) {
  const machine = new Machine();
  const rate = { perSecond: (part * capacity) / 8 };
  const alike = createFlows(8).map((flow, i) => ({ flow, outcome: machine.sendAt(rate, flow, 5 * i) }));
  for (const { flow, outcome } of alike.slice(0, 4))
    for (let n = 0; n < backlog; n++) machine.send(flow, outcome);
  return { machine, rate, alike };
}

suite('behind the gate', () => {
  for (const { part, backlog } of [
    { part: 2, backlog: 0 },
    { part: 1.2, backlog: 60 },
  ])
    test(`flows that ask for the same, ${part} times what the machine can do, get the same${backlog > 0 ? ' although some have a backlog' : ''}`, () => {
      const { machine, rate, alike } = setUpAlike(0.85, backlog);
      machine.clock.turn(5_000);
      rate.perSecond = (part * capacity) / 8;
      machine.clock.turn(5_000);
      const before = alike.map(({ outcome }) => outcome.answered);
      machine.clock.turn(10_000);
      const shares = alike.map(({ outcome }, i) => outcome.answered - (before[i] ?? 0));
      assert.ok(Math.max(...shares) <= 1.5 * Math.min(...shares), `each got ${shares.join(', ')}`);
      const all = shares.reduce((sum, each) => sum + each, 0);
      assert.ok(all >= 0.95 * 10 * capacity, `${all} of ${10 * capacity}`);
    });

  test('the backlog of some flows ends if all that are alike ask for less than the machine can do', () => {
    const { machine, alike } = setUpAlike(0.85, 60);
    machine.clock.turn(10_000);
    for (const { flow, outcome } of alike) {
      assert.ok(flow.waiting + flow.executing < 16, `${flow.waiting} wait, ${flow.executing} execute`);
      assert.equal(outcome.refused, 0);
    }
  });

  test('a flood is held to what a quiet flow leaves', () => {
    const machine = new Machine();
    const [flood, quiet] = createFlows(2) as [Flow, Flow];
    const flooded = machine.sendFrom(64, flood);
    machine.clock.turn(1_000);
    assert.ok(flooded.answered >= 0.95 * capacity, 'alone it has the machine');
    const undisturbed = machine.sendAt({ perSecond: capacity / 5 }, quiet);
    const share = (ms: number) => {
      const before = [flooded.answered, undisturbed.answered] as const;
      machine.clock.turn(ms);
      return (flooded.answered - before[0]) / (undisturbed.answered - before[1]);
    };
    machine.clock.turn(5_000);
    const held = share(10_000);
    assert.ok(held < 0.8, `at first ${held} times as much`);
    machine.clock.turn(100_000);
    const later = share(10_000);
    assert.ok(later < 0.8, `later ${later} times as much`);
    assert.equal(undisturbed.waitedMs, 0);
    assert.equal(flooded.refused, 0);
  });

  for (const { requests, others } of [
    { requests: 'a few', others: 1 },
    { requests: 'many', others: 20 },
  ])
    test(`flows that all have a backlog do what the machine can, although others make ${requests} requests`, () => {
      const { machine, alike } = setUpAlike(1.2, 60);
      for (const { flow, outcome } of alike.slice(4))
        for (let n = 0; n < 60; n++) machine.send(flow, outcome);
      const quiet = createFlows(8 + others).slice(8);
      const outcomes = quiet.map((flow, i) => machine.sendAt({ perSecond: 2 }, flow, 5 * i));
      machine.clock.turn(5_000);
      const all = [...alike.map(({ outcome }) => outcome), ...outcomes];
      const answered = () => all.reduce((sum, outcome) => sum + outcome.answered, 0);
      const before = answered();
      machine.clock.turn(10_000);
      const done = answered() - before;
      assert.ok(done >= 0.95 * 10 * capacity, `${done} of ${10 * capacity}`);
      for (const { waitedMs } of outcomes) assert.equal(waitedMs, 0);
    });

  test('flows that come from another gateway, and ask for the same, do not throttle those that are there', () => {
    const machine = new Machine();
    const rate = { perSecond: (0.85 * capacity) / 8 };
    const flows = createFlows(8);
    const send = (flow: Flow, i: number) => ({ flow, outcome: machine.sendAt(rate, flow, 5 * i) });
    const there = flows.slice(0, 4).map(send);
    machine.clock.turn(10_000);
    // The other one takes the processors with it as it stops, so that those that are here have a backlog.
    machine.workMs = 10 * workMs;
    machine.clock.turn(2_000);
    machine.workMs = workMs;
    const alike = [...there, ...flows.slice(4).map(send)];
    const answered = () => alike.reduce((sum, { outcome }) => sum + outcome.answered, 0);
    const before = answered();
    machine.clock.turn(1_000);
    assert.ok(answered() - before >= 0.95 * capacity, `${answered() - before} of ${capacity}`);
  });

  test('a flow that sends one request after the other never waits, although others ask for too much', () => {
    const machine = new Machine();
    const [single, ...others] = createFlows(9) as [Flow, ...Flow[]];
    for (const [i, flow] of others.entries()) machine.sendAt({ perSecond: capacity / 4 }, flow, i);
    const outcome = machine.sendFrom(1, single);
    machine.clock.turn(5_000);
    assert.equal(outcome.waitedMs, 0);
    assert.ok(outcome.answered > 0);
  });
});
