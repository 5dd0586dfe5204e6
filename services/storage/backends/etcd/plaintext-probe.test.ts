import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer } from 'node:tls';
import { createPlaintextProbe } from './plaintext-probe.ts';

test('thousands of failed requests probe the server once, and all report that it requires TLS', async () => {
  let greetings = 0;
  const server = createServer();
  server.on('connection', () => greetings++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const probe = createPlaintextProbe([`127.0.0.1:${port}`]);
  const failed = new Error('14 UNAVAILABLE: No connection established. Last error: Failed to connect');
  const refusals = await Promise.all(Array.from({ length: 1000 }, () => probe(failed)));
  assert.deepEqual([...new Set(refusals.map(refusal => refusal?.kind))], ['tls']);
  assert.equal(greetings, 1);
  server.close();
});

test('an address without a listener is not probed, nor after errors unrelated to the connection', async () => {
  const probe = createPlaintextProbe(['http://[::1]:1']);
  for (const message of [
    '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED ::1:1',
    '4 DEADLINE_EXCEEDED: Deadline exceeded',
  ])
    assert.equal(await probe(new Error(message)), undefined);
});
