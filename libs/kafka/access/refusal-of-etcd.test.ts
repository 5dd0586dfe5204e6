import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendRefusal } from '@binnacle/backend-access';
import { RefusalStatus } from './refusal-status.ts';

test('a refusal by etcd is not reported as one by Kafka, and a refusal by Kafka is logged once', () => {
  const lines: string[] = [];
  const status = new RefusalStatus({ info: line => lines.push(line), error: line => lines.push(line) });
  const etcd = new Error('the watch broke', { cause: new BackendRefusal('etcd', 'permission') });
  assert.equal(status.failed(etcd), false);
  assert.equal(status.current, undefined);
  const refusal = new BackendRefusal('kafka', 'permission');
  for (let attempt = 0; attempt < 3; attempt++) assert.equal(status.failed(refusal), true);
  assert.equal(status.current, refusal);
  status.worked();
  assert.deepEqual(lines, ['kafka refuses this service, retrying', 'kafka accepts this service again']);
});
