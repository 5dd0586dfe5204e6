import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { createLogger, createMetrics } from '@binnacle/telemetry';
import { createStorageService } from './storage-service.ts';

test('storage that does not reach etcd waits for it, and logs the setting with its addresses', async () => {
  const lines: string[] = [];
  await using _storage = await createStorageService({
    backend: { kind: 'etcd', etcd: { endpoints: ['http://127.0.0.1:1'], prefix: '/none' } },
    historyWindow: 60_000,
    log: createLogger({ format: 'json', sink: line => lines.push(line) }),
    metrics: createMetrics(),
  });
  const warnings = () => lines.filter(line => line.includes('cannot be read, retrying'));
  await pollUntil('a line in the log', async () => warnings().length > 0);
  const { setting, error } = JSON.parse(warnings()[0] ?? '') as { setting: string; error: string };
  assert.equal(setting, '--etcd-endpoints (BINNACLE_ETCD_ENDPOINTS)');
  assert.match(error, /etcd is not available: .*127\.0\.0\.1:1/);
});
