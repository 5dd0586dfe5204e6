import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendRefusal } from '@binnacle/backend-access';
import { RefusalStatus } from './refusal-status.ts';

test('a refusal is logged once for each kind, persists while the broker is down, and ends with a success', () => {
  const lines: string[] = [];
  const keep = (message: string, fields?: Record<string, unknown>) =>
    void lines.push(`${message} ${fields?.['kind'] ?? ''}`);
  const status = new RefusalStatus({ info: keep, error: keep });
  const credentials = new BackendRefusal('kafka', 'credentials', { cause: new Error('x') });
  assert.deepEqual([status.failed(new Error('away')), status.current], [false, undefined]);
  for (let attempt = 0; attempt < 3; attempt++)
    assert.equal(status.failed(new Error('session', { cause: credentials })), true);
  assert.equal(status.failed(new Error('away')), false);
  assert.equal(status.current, credentials);
  status.failed(new BackendRefusal('kafka', 'permission'));
  status.worked();
  status.worked();
  assert.equal(status.current, undefined);
  assert.deepEqual(lines, [
    'kafka refuses this service, retrying credentials',
    'kafka refuses this service, retrying permission',
    'kafka accepts this service again ',
  ]);
});

test('a refusal ends after several attempts in a row that fail for other reasons', () => {
  const lines: string[] = [];
  const keep = (message: string) => void lines.push(message);
  const status = new RefusalStatus({ info: keep, error: keep });
  const refused = new BackendRefusal('kafka', 'permission');
  const away = new Error('connection refused');
  status.failed(refused);
  for (let attempt = 0; attempt < 4; attempt++) status.failed(away);
  assert.equal(status.current, refused);
  status.failed(refused);
  for (let attempt = 0; attempt < 4; attempt++) status.failed(away);
  assert.equal(status.current, refused);
  status.failed(away);
  assert.equal(status.current, undefined);
  status.failed(refused);
  assert.equal(status.current, refused);
  for (let attempt = 0; attempt < 5; attempt++) status.failed(away);
  status.worked();
  // The end of a logged refusal is logged too, although `current` was undefined for a while.
  assert.deepEqual(lines, ['kafka refuses this service, retrying', 'kafka accepts this service again']);
});
