import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ceremonyLimits } from './ceremony-limits.ts';
import { measureCeremony } from './measure-ceremony.ts';

const requests = 500;
/** On a crowded machine what the server does by itself falls into a measurement: it is repeated. */
const mostMeasurements = 3;

test('no verb creates more promises or timers than its recorded number, also for clients that send traces without sampling them', async () => {
  let excesses = await findExcesses();
  for (let i = 1; i < mostMeasurements && excesses.length > 0; i++) excesses = await findExcesses();
  assert.deepEqual(excesses, []);
});

/** The verbs that are over their limits, each with what it makes and may make. */
async function findExcesses(): Promise<string[]> {
  const counted = await measureCeremony(requests);
  // A counter that counts nothing would pass everything.
  for (const { verb, promises } of counted) assert.ok(promises > 0, verb);
  return counted.flatMap(({ verb, promises, timers }) => {
    const limit = ceremonyLimits[verb];
    return promises > limit.promises || timers > limit.timers
      ? [
          `${verb}: ${promises.toFixed(1)} promises, ${limit.promises} may be; ${timers.toFixed(2)} timers, ${limit.timers} may be`,
        ]
      : [];
  });
}
