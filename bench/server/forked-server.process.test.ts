import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forkServer } from './forked-server.ts';

test('a server that ends before it is ready is reported at once as an error', async () => {
  const start = forkServer({
    name: 'missing-probe',
    probeFile: '/nowhere/probe.ts',
    nodeFlags: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await assert.rejects(start, /^Error: the server ended with 1 before it was ready$/);
});
