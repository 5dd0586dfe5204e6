import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ceremonyLimits } from './ceremony-limits.ts';
import { measureCeremony } from './measure-ceremony.ts';

const requests = 500;

test('no verb makes more promises or timers than the number that is written beside it', async () => {
  for (const { verb, promises, timers } of await measureCeremony(requests)) {
    const limit = ceremonyLimits[verb];
    assert.ok(
      promises <= limit.promises,
      `${verb}: ${promises.toFixed(1)} promises, ${limit.promises} may be`,
    );
    assert.ok(timers <= limit.timers, `${verb}: ${timers.toFixed(2)} timers, ${limit.timers} may be`);
    // A counter that counts nothing would pass everything.
    assert.ok(promises > 0, verb);
  }
});
