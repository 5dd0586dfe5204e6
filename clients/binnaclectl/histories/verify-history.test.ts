import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryRecord } from './records/records.ts';
import { plantedFaults, type Random, SimulatedServer } from './test-drivers/simulated-server.ts';
import { verifyHistory } from './verify-history.ts';

const verify = (records: readonly HistoryRecord[], searchSteps?: number) =>
  verifyHistory(records, { now: () => 0, ...(searchSteps === undefined ? {} : { searchSteps }) });

function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('histories of a correct server have no violation', () => {
  let searched = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const server = new SimulatedServer(createRandom(seed));
    server.run(150);
    const { violations, undecided, counts } = verify(server.records);
    assert.deepEqual(violations, [], `seed ${seed}`);
    assert.deepEqual(undecided, [], `seed ${seed}`);
    searched += counts.searched;
  }
  assert.ok(searched > 100, 'orders were searched');
});

for (const fault of plantedFaults)
  test(`the fault is found: ${fault}`, () => {
    let planted = 0;
    for (let seed = 1; seed <= 200 && planted < 60; seed++) {
      const server = new SimulatedServer(createRandom(seed), fault);
      server.run(150);
      if (!server.planted) continue;
      planted++;
      assert.notDeepEqual(verify(server.records).violations, [], `seed ${seed}`);
    }
    assert.ok(planted >= 30, `the fault happened ${planted} times`);
  });
