import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import type { WatchEnd } from '@binnacle/watch-cache';
import { chunkFraming, createFrame } from './framing/framing.ts';
import { OutletSink } from './outlet-sink.ts';
import type { WatchFormat } from './watch-format.ts';

const createChunk = (content: Buffer) => createFrame(chunkFraming, content);

const format: WatchFormat = {
  contentType: 'application/json',
  encoding: { id: 'test', event: () => Buffer.alloc(0), bookmark: () => Buffer.alloc(0) },
  error: status => createChunk(Buffer.from(`${status.reason}\n`)),
};

/** A response over a real connection, taken over by a sink, and the client at the other end. */
async function takenOver(watchBufferBytes: number) {
  const server = createServer();
  const port = await new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const answered = new Promise<ServerResponse>(resolve => {
    server.on('request', (_request, response) => resolve(response));
  });
  const client: Socket = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
  let received = '';
  client.on('data', data => {
    received += data;
  });
  client.on('error', () => {});
  const response = await answered;
  response.writeHead(200, { 'Transfer-Encoding': 'chunked' });
  response.flushHeaders();
  const { socket } = response;
  assert.ok(socket);
  const ends: WatchEnd[] = [];
  const onEnd = (reason: WatchEnd) => void ends.push(reason);
  const sink = new OutletSink({
    outlet: socket,
    finish: () => void response.end(),
    format,
    watchBufferBytes,
    expiredMessage: () => 'old',
    onEnd,
  });
  const waitFor = async (condition: () => boolean) => {
    while (!condition()) await new Promise(resolve => setTimeout(resolve, 2));
  };
  const close = () => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  };
  return { sink, client, ends, received: () => received, waitFor, [Symbol.dispose]: close };
}

test('frames reach the client unchanged, and the connection can be reused after the end', async () => {
  using taken = await takenOver(1024);
  assert.equal(taken.sink.write(createChunk(Buffer.from('one\n'))), true);
  taken.sink.end('closed');
  await taken.waitFor(() => taken.received().endsWith('4\r\none\n\r\n0\r\n\r\n'));
  assert.deepEqual(taken.ends, ['closed']);
  taken.client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  assert.equal(taken.client.destroyed, false);
});

test('an expired watch ends with an ERROR frame', async () => {
  using taken = await takenOver(1024);
  taken.sink.end('expired');
  await taken.waitFor(() => taken.received().endsWith('8\r\nExpired\n\r\n0\r\n\r\n'));
});

test('a full buffer is reported, and a slow client is cut off', async () => {
  using taken = await takenOver(64 * 1024);
  taken.client.pause();
  const frame = createChunk(Buffer.alloc(256 * 1024));
  let frames = 0;
  while (taken.sink.write(frame)) {
    frames++;
    assert.ok(frames < 1000, 'the buffer has a bound');
    await new Promise(resolve => setImmediate(resolve));
  }
  assert.ok(taken.sink.buffered > 64 * 1024);
  taken.sink.end('slow');
  assert.deepEqual(taken.ends, ['slow']);
  assert.equal(taken.sink.write(frame), false);
  taken.client.resume();
  await taken.waitFor(() => taken.client.destroyed);
});
