import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ConnectionPool } from './connections.ts';

test('the client closes an idle connection before the announced timeout of the server', {
  timeout: 60_000,
}, async () => {
  // Node's servers keep connections 1 s longer than announced; this one never closes them.
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    response.setHeader('connection', 'keep-alive').setHeader('keep-alive', 'timeout=2').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A TCP server.
  const url = `http://127.0.0.1:${port}`;
  using connections = new ConnectionPool({ servers: [url] }, { maxSockets: 1 });
  const accepted = once(server, 'connection');
  await connections.use(
    {},
    ({ agent }) =>
      new Promise((resolve, reject) => {
        get(url, { agent }, answer => answer.resume().on('end', resolve)).on('error', reject);
      }),
  );
  const [socket] = await accepted;
  await once(socket, 'close');
  server.close();
});
