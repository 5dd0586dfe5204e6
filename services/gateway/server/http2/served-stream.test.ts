import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestTls, startHttp2Target, until } from '../test-drivers/http2-target.ts';
import { connectRaw, frameTypes, getFrame, numberFrame } from '../test-drivers/raw-client.ts';
import { ServedStream, windowBytes } from './served-stream.ts';

const tls = await createTestTls();

test('a client that reads slowly, but faster than the minimum rate, is not cut off', async () => {
  let served: ServedStream | undefined;
  await using target = await startHttp2Target(tls, async ({ response }) => {
    if (response.outlet instanceof ServedStream) served = response.outlet;
    response.end(Buffer.alloc(1024 * 1024));
  });
  // The test alone looks, by a clock of its own.
  target.guard[Symbol.dispose]();
  const client = await connectRaw(target.port);
  client.send(getFrame(1, '/'));
  const stepBytes = 20_000;
  const data = () =>
    client.heard.reduce((sum, { type, length }) => sum + (type === frameTypes.data ? length : 0), 0);
  for (let step = 0; step < 10; step++) {
    await until('it takes a little', () => data() === windowBytes + step * stepBytes);
    const now = step * 900;
    const timeouts = { bodyMs: 1_000, answerMs: 1_000 };
    await until('it makes progress', () => served?.stalled(now, timeouts) === undefined);
    assert.ok(Number(served?.writableLength) > 0);
    client.send(...[0, 1].map(stream => numberFrame(frameTypes.windowUpdate, stream, stepBytes)));
  }
  client.socket.destroy();
});
