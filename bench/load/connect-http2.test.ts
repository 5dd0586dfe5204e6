import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connectHttp2 } from './connect-http2.ts';

test('a watch whose stream ends without an answer fails', async () => {
  const server = createServer();
  server.on('stream', stream => stream.close(constants.NGHTTP2_NO_ERROR));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Listens on TCP.
  const connections = connectHttp2({ server: `http://127.0.0.1:${port}` }, 1);
  try {
    await assert.rejects(connections.open('/', 0), /without an answer/);
  } finally {
    connections.close();
    server.close();
  }
});
