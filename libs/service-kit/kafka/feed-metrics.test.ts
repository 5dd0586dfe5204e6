import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '@binnacle/telemetry';
import { countRefusedRecords } from './feed-metrics.ts';

test('each reason has a series of 0 before the first refused record, so that its first increase is visible', async () => {
  const metrics = createMetrics({ process: false });
  const count = countRefusedRecords(metrics);
  const lines = async () =>
    (await metrics.render()).body.split('\n').filter(line => line.startsWith('binnacle_change_feed_refused'));
  const none = await lines();
  assert.deepEqual(none.map(line => line.replace(/^.*reason="([^"]+)"\} /, '$1 ')).sort(), [
    'encrypted 0',
    'forged 0',
    'malformed 0',
    'unencrypted 0',
    'unknown-key 0',
  ]);
  count('forged');
  assert.equal((await lines()).filter(line => line.endsWith(' 1')).length, 1);
});
