import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createApiClient } from '@binnacle/client';
import { createPki } from '@binnacle/tls';

test('requests that fail together at a silent gateway switch to the next gateway once', async () => {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-silent-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const { caFile, serverDirectory } = await createPki(directory, { serverNames: [] });
  const [ca, cert, key] = await Promise.all([
    readFile(caFile),
    readFile(join(serverDirectory, 'tls.crt')),
    readFile(join(serverDirectory, 'tls.key')),
  ]);
  const listen = async (server: Server): Promise<string> => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on TCP.
  };
  const silent = await listen(createServer({ cert, key }, () => {}));
  const answering = await listen(
    createServer({ cert, key }, (_, response) => {
      response.setHeader('content-type', 'application/json').end('{"kind":"Status"}');
    }),
  );
  const client = stack.use(
    createApiClient({
      configuration: { servers: [silent, answering], certificateAuthority: ca },
      userAgent: 'test',
    }),
  );
  const ask = (timeoutMs: number) => client.request({ method: 'GET', path: '/api', timeoutMs });
  const outcomes = await Promise.allSettled([ask(300), ask(300)]);
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  for (let count = 0; count < 5; count++) assert.deepEqual(await ask(20_000), { kind: 'Status' });
});
