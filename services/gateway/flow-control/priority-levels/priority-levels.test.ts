import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SeatRequest } from '../fair-queuing/fair-queue.ts';
import { oneSeat } from '../fair-queuing/work-estimate.ts';
import { noMeters } from '../test-drivers/no-meters.ts';
import type { LevelConfig, LevelLimits } from './level-config.ts';
import { allocateSeats, PriorityLevels } from './priority-levels.ts';
import { SeatDemand } from './seat-demand.ts';

const queuing = { queues: 8, handSize: 2, queueLengthLimit: 50 };

function level(name: string, shares: number, more: Partial<LevelLimits> = {}): LevelConfig {
  const limits = { shares, lendablePercent: 0, borrowingLimitPercent: undefined, queuing, ...more };
  return { name, uid: '', limits };
}

function setUp(serverSeats: number) {
  let now = 0;
  const levels = new PriorityLevels({
    clock: { now: () => now, after: () => () => {} },
    gate: { admits: () => true, finished: () => {}, pause: () => undefined },
    serverSeats,
    waitLimitMs: 15_000,
  });
  return {
    levels,
    pass: (ms: number) => {
      now += ms;
    },
    seats: () => Object.fromEntries(levels.all.map(({ config, seats }) => [config.name, seats?.current])),
    occupy: (name: string, count: number) => {
      const found = levels.get(name);
      assert.ok(found?.set);
      const flow = levels.flow(found, { schema: 's', distinguisher: 'd' }, () => noMeters);
      return Array.from({ length: count }, () => {
        const request = new SeatRequest(flow, oneSeat);
        found.set?.enter(request);
        return request;
      });
    },
  };
}

suite('priority levels', () => {
  test('divide the seats of the server by their shares, rounding up', () => {
    const { levels } = setUp(100);
    levels.configure([
      level('a', 30, { lendablePercent: 33 }),
      level('b', 40, { borrowingLimitPercent: 50 }),
      { name: 'exempt', uid: '', limits: undefined },
    ]);
    assert.deepEqual(levels.get('a')?.seats, { nominal: 43, least: 29, most: 143, current: 43 });
    assert.deepEqual(levels.get('b')?.seats, { nominal: 58, least: 58, most: 87, current: 58 });
    assert.equal(levels.get('exempt')?.seats, undefined);
  });

  test('lend unused seats and get them back when they need them', () => {
    const { levels, pass, seats, occupy } = setUp(100);
    levels.configure([
      level('busy', 50, { lendablePercent: 50 }),
      level('idle', 50, { lendablePercent: 80 }),
    ]);
    const held = occupy('busy', 200);
    pass(10_000);
    levels.borrow();
    assert.deepEqual(seats(), { busy: 90, idle: 10 });
    assert.equal(levels.get('busy')?.set?.seatsInUse, 90);
    occupy('idle', 60);
    pass(10_000);
    levels.borrow();
    const back = seats();
    assert.ok((back['idle'] ?? 0) >= 50, JSON.stringify(back));
    assert.equal((back['idle'] ?? 0) + (back['busy'] ?? 0), 100);
    assert.ok(held.length > 0);
  });

  test('finish their requests after their deletion', () => {
    const { levels, occupy } = setUp(10);
    levels.configure([level('a', 1), level('b', 1)]);
    const [request] = occupy('a', 1);
    levels.configure([level('b', 1)]);
    assert.equal(levels.get('a')?.isQuiescing, true);
    assert.ok(request);
    levels.get('a')?.set?.finish(request);
    levels.borrow();
    assert.equal(levels.get('a'), undefined);
  });

  test('keep their requests when their configuration changes', () => {
    const { levels, occupy } = setUp(2);
    levels.configure([level('a', 1)]);
    occupy('a', 3);
    levels.configure([level('a', 1, { queuing: { ...queuing, queues: 16 } })]);
    const { set } = levels.get('a') ?? {};
    assert.deepEqual([set?.executing, set?.waiting, set?.queues.length], [2, 1, 16]);
  });
});

suite('seats are divided', () => {
  const cases: [string, number, [number, number, number][], number[]][] = [
    [
      'by targets',
      100,
      [
        [10, 0, 100],
        [30, 0, 100],
      ],
      [25, 75],
    ],
    [
      'with the least for each',
      100,
      [
        [10, 40, 100],
        [90, 0, 100],
      ],
      [40, 60],
    ],
    [
      'with the most for each',
      100,
      [
        [90, 0, 20],
        [10, 0, 100],
      ],
      [20, 80],
    ],
    [
      'to all their least when there is no more',
      10,
      [
        [8, 8, 20],
        [2, 2, 20],
      ],
      [8, 2],
    ],
    [
      'to all their most when there is too much',
      100,
      [
        [8, 8, 20],
        [2, 2, 20],
      ],
      [20, 20],
    ],
    [
      'equally where nothing is asked for',
      100,
      [
        [0, 0, 100],
        [0, 0, 100],
      ],
      [50, 50],
    ],
  ];
  for (const [what, sum, demands, expected] of cases)
    test(what, () => {
      const allocated = allocateSeats(
        sum,
        demands.map(([target, least, most]) => ({ target, least, most })),
      );
      assert.deepEqual(allocated.map(Math.round), expected);
    });
});

test('the demand is averaged over time', () => {
  let now = 0;
  const demand = new SeatDemand(() => now);
  demand.set(10);
  now = 5_000;
  demand.set(0);
  now = 10_000;
  assert.deepEqual(demand.endPeriod(), { average: 5, deviation: 5, highest: 10 });
  assert.equal(demand.smoothed, 10);
  now = 20_000;
  assert.deepEqual(demand.endPeriod(), { average: 0, deviation: 0, highest: 0 });
  assert.equal(demand.smoothed, 9.977);
});
