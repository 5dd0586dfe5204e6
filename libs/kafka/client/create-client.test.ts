import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createClient } from './create-client.ts';

test('a client that is closed during a request opens no further connection', async () => {
  const sockets: Socket[] = [];
  const requested = Promise.withResolvers<void>();
  // A broker that receives requests and closes the connection instead of answering.
  const broker = createServer(socket => {
    sockets.push(socket);
    socket.once('data', () => requested.resolve());
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const { port } = broker.address() as AddressInfo;
  const { client, close } = createClient({ brokers: [`127.0.0.1:${port}`], clientId: 'test' });
  const admin = client.admin();
  const listing = admin.connect().then(() => admin.listTopics());
  await requested.promise;
  const closing = close(admin);
  for (const socket of sockets) socket.destroy();
  await assert.rejects(listing, /the client was closed/);
  await closing;
  assert.equal(sockets.length, 1);
  broker.close();
  await once(broker, 'close');
});
