import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallFrame } from '@binnacle/proto';
import { emptyFrame, FrameWriter } from './frame-writer.ts';
import { maxBatchFrames, maxFramePayload, maxUnflushedBytes } from './limits.ts';

/** Records messages; `flush` reports them as flushed. */
class Sink {
  writable = true;
  readonly messages: (readonly CallFrame[])[] = [];
  #flushes: (() => void)[] = [];

  write(frames: readonly CallFrame[], flushed: () => void): boolean {
    this.messages.push(frames);
    this.#flushes.push(flushed);
    return true;
  }

  flush(): void {
    for (const flushed of this.#flushes.splice(0)) flushed();
  }

  get frames(): CallFrame[] {
    return this.messages.flat();
  }
}

function frame(id: number, size: number): CallFrame {
  return { ...emptyFrame, type: 'RESPONSE', id, payload: Buffer.alloc(size, id) };
}

/** Flushes until the writer writes nothing more. */
async function settle(sink: Sink): Promise<void> {
  for (let before = -1; before !== sink.messages.length; ) {
    before = sink.messages.length;
    await turn();
    sink.flush();
    await turn();
  }
}

test('frames of one turn are sent as one message, in order', async () => {
  const sink = new Sink();
  const writer = new FrameWriter(sink);
  for (const id of [1, 2]) writer.send(frame(id, 10));
  await Promise.resolve().then(() => writer.send(frame(3, 10)));
  await turn();
  writer.send(frame(4, 10));
  await turn();
  assert.deepEqual(
    sink.messages.map(frames => frames.map(({ id }) => id)),
    [[1, 2, 3], [4]],
  );
});

test('frames of several callbacks of one turn are sent together, up to the size of a message', async () => {
  const sink = new Sink();
  const writer = new FrameWriter(sink);
  writer.send(frame(1, 10));
  // Each tick ends a callback, as when one turn reads from several connections.
  await new Promise<void>(resolve => process.nextTick(resolve));
  writer.send(frame(2, 10));
  await turn();
  for (let id = 1; id <= maxBatchFrames + 1; id++) writer.send(frame(id, 10));
  assert.equal(sink.messages.length, 2, 'a full message leaves at once');
  await turn();
  assert.deepEqual(
    sink.messages.map(frames => frames.length),
    [2, maxBatchFrames, 1],
  );
});

test('a long payload is sent in pieces, interleaved with other frames', async () => {
  const sink = new Sink();
  const writer = new FrameWriter(sink);
  const sent: number[] = [];
  writer.send(frame(1, maxFramePayload * 3 + 5), () => sent.push(1));
  writer.send(frame(2, maxFramePayload * 9), () => sent.push(2));
  writer.send(frame(3, 10), () => sent.push(3));
  await settle(sink);
  const pieces = (id: number) => sink.frames.filter(piece => piece.id === id);
  assert.deepEqual(
    pieces(1).map(({ more, payload }) => [more, payload.length]),
    [
      [true, maxFramePayload],
      [true, maxFramePayload],
      [true, maxFramePayload],
      [false, 5],
    ],
  );
  assert.equal(pieces(2).length, 9);
  assert.deepEqual(sent.toSorted(), [1, 2, 3]);
  assert.equal(sent.at(-1), 2, 'the longest ends last');
});

test('unflushed bytes are limited, and further frames wait', async () => {
  const sink = new Sink();
  const writer = new FrameWriter(sink);
  for (let id = 1; id <= 40; id++) writer.send(frame(id, 100_000));
  await turn();
  const bytes = sink.frames.reduce((sum, { payload }) => sum + payload.length, 0);
  assert.ok(bytes <= maxUnflushedBytes + maxFramePayload, `${bytes}`);
  assert.equal(writer.queuedBytes, 4_000_000 - bytes);
  await settle(sink);
  assert.equal(sink.frames.length, 40);
  assert.equal(writer.queuedBytes, 0);
});

test('queued frames of an ended call are dropped', async () => {
  const sink = new Sink();
  const writer = new FrameWriter(sink);
  for (let id = 1; id <= 40; id++) writer.send(frame(id, 100_000));
  writer.forget(40);
  await settle(sink);
  assert.deepEqual(
    sink.frames.map(({ id }) => id),
    Array.from({ length: 39 }, (_, index) => index + 1),
  );
});

test('nothing is written to an ended stream', async () => {
  const sink = new Sink();
  const writer = new FrameWriter(sink);
  writer.send(frame(1, 10));
  sink.writable = false;
  await turn();
  assert.equal(sink.messages.length, 0);
});
