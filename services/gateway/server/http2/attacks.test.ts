import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ask,
  createTestTls,
  type Http2Target,
  startHttp2Target,
  until,
} from '../test-drivers/http2-target.ts';
import {
  connectRaw,
  flags,
  frame,
  frameTypes,
  getBlock,
  getFrame,
  numberFrame,
} from '../test-drivers/raw-client.ts';

const tls = await createTestTls();

const large = Buffer.alloc(3 * 1024 * 1024, 'x');
const cancel = constants.NGHTTP2_CANCEL;

/** A server whose requests last until they are released, and how many of them were worked on at a time. */
async function startSlow(connections = {}) {
  const gate = Promise.withResolvers<void>();
  const work = { now: 0, most: 0, total: 0 };
  const target = await startHttp2Target(
    tls,
    async ({ response, path }) => {
      if (path === '/quick') return void response.end('quick');
      if (path === '/large') return void response.end(large);
      work.total++;
      work.most = Math.max(work.most, ++work.now);
      await gate.promise;
      work.now--;
      response.end('slow');
    },
    connections,
  );
  return { target, work, release: () => gate.resolve() };
}

/** Whether the server still serves others. */
async function assertServes(target: Http2Target): Promise<void> {
  assert.equal((await ask(target.connect(), { ':path': '/quick' })).text, 'quick');
}

/** The most bytes of a TLS record. */
const recordBytes = 16_384;
const partBytes = 16_000;
/** Frames that let the server send as much as it likes. */
const largeWindows = [
  frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  numberFrame(frameTypes.windowUpdate, 0, 2 ** 30),
];

/** A request with so many headers of 100 bytes. */
function largeRequest(stream: number, path: string, headers: number): Buffer[] {
  const more = Array.from({ length: headers }, (_each, i) => [`x-${i}`, 'y'.repeat(100)] as const);
  const block = getBlock(path, more);
  const parts: Buffer[] = [];
  for (let start = 0; start < block.length; start += partBytes) {
    const type = start === 0 ? frameTypes.headers : frameTypes.continuation;
    const begin = start === 0 ? flags.endStream : 0;
    const end = start + partBytes >= block.length ? flags.endHeaders : 0;
    parts.push(frame(type, begin | end, stream, block.subarray(start, start + partBytes)));
  }
  return parts;
}

describe('an HTTP/2 attacker', { concurrency: true }, () => {
  test('that opens more streams than allowed is refused', async () => {
    const { target, work, release } = await startSlow({ http2MaxStreamsPerConnection: 5 });
    await using _ = target;
    const client = await connectRaw(target.port);
    await until('the settings', () => client.heard.some(({ type }) => type === frameTypes.settings));
    client.send(frame(frameTypes.settings, flags.ack, 0));
    client.send(...Array.from({ length: 6 }, (_each, i) => getFrame(2 * i + 1, '/slow')));
    await until('refused', () =>
      client.heard.some(({ type }) => type === frameTypes.goaway || type === frameTypes.resetStream),
    );
    assert.ok(work.most <= 5);
    release();
    await assertServes(target);
  });

  test('that resets new streams at once causes no work', async () => {
    const { target, work } = await startSlow();
    await using _ = target;
    const client = await connectRaw(target.port);
    const pairs = Array.from({ length: 100 }, (_each, i) => [
      getFrame(2 * i + 1, '/slow'),
      numberFrame(frameTypes.resetStream, 2 * i + 1, cancel),
    ]).flat();
    // In one record, so that each request comes together with its reset.
    assert.ok(Buffer.concat(pairs).length < recordBytes);
    client.send(...pairs);
    client.send(getFrame(1001, '/quick'));
    await until('an answer', () =>
      client.heard.some(({ type, stream }) => type === frameTypes.data && stream === 1001),
    );
    assert.deepEqual([work.total, target.state.streams], [0, 0]);
    client.socket.destroy();
  });

  test('that resets streams in progress causes no more work than without resets', async () => {
    const most = 100;
    const { target, work, release } = await startSlow({ http2MaxStreamsPerConnection: most });
    await using _ = target;
    const client = await connectRaw(target.port);
    const ids = (first: number, count: number) => Array.from({ length: count }, (_each, i) => first + 2 * i);
    client.send(...ids(1, most).map(id => getFrame(id, '/slow')));
    await until('all are worked on', () => work.now === most);
    client.send(...ids(1, most).map(id => numberFrame(frameTypes.resetStream, id, cancel)));
    client.send(...ids(201, 50).map(id => getFrame(id, '/slow')));
    client.send(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
    const refused = () => client.heard.filter(({ code }) => code === constants.NGHTTP2_REFUSED_STREAM);
    await until('all further ones are refused', () => refused().length === 50);
    assert.deepEqual([work.most, work.total, target.state.streams], [most, most, most]);
    assert.ok(target.counted.includes('http2 streams'));
    release();
    await until('all is over', () => target.state.streams === 0);
    client.send(getFrame(1001, '/quick'));
    await until('an answer', () =>
      client.heard.some(({ type, stream }) => type === frameTypes.data && stream === 1001),
    );
    client.socket.destroy();
  });

  test('that keeps resetting streams is disconnected', async () => {
    const { target, release } = await startSlow();
    await using _ = target;
    const client = await connectRaw(target.port);
    for (let id = 1; id < 6_000 && !client.socket.destroyed; id += 2)
      client.send(getFrame(id, '/slow'), numberFrame(frameTypes.resetStream, id, cancel));
    await client.closed;
    release();
    await until('all is over', () => target.state.streams === 0);
    await assertServes(target);
  });

  const floods = [
    { what: 'PING', frames: [frame(frameTypes.ping, 0, 0, Buffer.alloc(8))], isCounted: true },
    { what: 'SETTINGS', frames: [frame(frameTypes.settings, 0, 0)], isCounted: true },
    { what: 'empty DATA', frames: [frame(frameTypes.data, 0, 1)], opens: true },
    { what: 'CONTINUATION', frames: [frame(frameTypes.continuation, 0, 1)], opens: 'half' },
    {
      what: 'frames for streams that are over',
      frames: [numberFrame(frameTypes.windowUpdate, 3, 0)],
      opens: true,
    },
  ] as const;
  for (const { what, frames, ...flood } of floods) {
    test(`that floods with ${what} is disconnected`, async () => {
      const { target, release } = await startSlow();
      await using _ = target;
      const client = await connectRaw(target.port);
      if ('opens' in flood)
        client.send(
          frame(frameTypes.headers, flood.opens === 'half' ? 0 : flags.endHeaders, 1, getBlock('/slow')),
        );
      for (let i = 0; i < 5_000 && !client.socket.destroyed; i++) {
        client.send(...frames);
        if (i % 500 === 0) await pause(0);
      }
      await client.closed;
      assert.equal(target.counted.includes('http2 frames'), 'isCounted' in flood);
      release();
      await until('all is over', () => target.state.streams === 0 && target.guard.size === 0);
      await assertServes(target);
    });
  }

  for (const agrees of [true, false]) {
    test(`with too large headers is refused, ${agrees ? 'with' : 'without'} acknowledged settings`, async () => {
      const { target, work } = await startSlow();
      await using _ = target;
      const client = await connectRaw(target.port);
      await until('the settings', () => client.heard.some(({ type }) => type === frameTypes.settings));
      if (agrees) client.send(frame(frameTypes.settings, flags.ack, 0));
      client.send(...largeRequest(1, '/slow', 600));
      await until('refused', () => client.heard.some(({ stream }) => stream === 1));
      const types = client.heard.filter(({ stream }) => stream === 1).map(({ type }) => type);
      assert.equal(types[0], agrees ? frameTypes.resetStream : frameTypes.headers);
      client.send(getFrame(3, '/quick'));
      await until('an answer', () =>
        client.heard.some(({ type, stream }) => type === frameTypes.data && stream === 3),
      );
      assert.equal(work.total, 0);
      client.socket.destroy();
    });
  }

  test('that resets a request with Expect does not stop the server', async () => {
    const { target, work, release } = await startSlow();
    await using _ = target;
    const client = await connectRaw(target.port);
    client.send(...largeWindows, frame(frameTypes.headers, flags.endHeaders, 1, getBlock('/slow')));
    await until('the first is worked on', () => work.total === 1);
    // While an answer leaves, Node reads on up to the next body, and the rest within the end of its write.
    const get = getFrame(3, '/large');
    const unknown = frame(0xfa, 0, 0);
    const padding = frame(0xfa, 0, 0, Buffer.alloc(recordBytes - get.length - unknown.length));
    client.send(
      ...[get, padding, frame(frameTypes.data, 0, 1, Buffer.alloc(100))],
      frame(frameTypes.headers, flags.endHeaders, 5, getBlock('/slow', [['expect', '100-continue']])),
      numberFrame(frameTypes.resetStream, 5, cancel),
    );
    await until('the answer has begun', () => client.heard.some(({ stream }) => stream === 3));
    release();
    await until('all is over', () => target.state.streams === 0);
    await assertServes(target);
    client.socket.destroy();
  });

  const hoards = {
    headers: (id: number) => largeRequest(id, '/quick', 400),
    answers: (id: number) => [getFrame(id, '/large')],
  };
  for (const [what, request] of Object.entries(hoards))
    test(`that lets the server buffer ${what} has further requests refused`, async () => {
      const { target } = await startSlow({ http2MaxStreamsPerConnection: 1_000 });
      await using _ = target;
      const client = await connectRaw(target.port);
      const window = (bytes: number) => Buffer.from([0, 4, 0, 0, bytes >> 8, bytes & 0xff]);
      client.send(frame(frameTypes.settings, 0, 0, window(0)));
      const refused = () =>
        client.heard.filter(({ code }) => code === constants.NGHTTP2_REFUSED_STREAM).length;
      const count = 900;
      for (let i = 0; i < count; i++) {
        client.send(...request(2 * i + 1));
        if (i % 20 === 0) await pause(1);
      }
      await until('each is held or refused', () => target.state.streams + refused() === count);
      assert.ok(refused() > 0 && target.state.streams > 0, `${refused()} refused`);
      assert.ok(target.counted.includes('http2 held-bytes'));
      await assertServes(target);
      if (what === 'headers') {
        client.send(frame(frameTypes.settings, 0, 0, window(1_000)));
        await until('what waited is taken', () => target.state.streams === 0);
        client.send(getFrame(2 * count + 1, '/quick'));
        await until('an answer', () =>
          client.heard.some(({ type, stream }) => type === frameTypes.data && stream === 2 * count + 1),
        );
      }
      client.socket.destroy();
    });

  test('that does not read from a connection is disconnected', async () => {
    const { target } = await startSlow({ responseIdleTimeout: 60 });
    await using _ = target;
    const client = await connectRaw(target.port, { reads: false });
    client.send(...largeWindows);
    client.send(...Array.from({ length: 20 }, (_each, i) => getFrame(2 * i + 1, '/large')));
    await until('it is closed', () => target.guard.size === 0 && target.state.streams === 0);
    assert.ok(target.counted.includes('closed answer'));
    client.socket.destroy();
    await assertServes(target);
  });
});
