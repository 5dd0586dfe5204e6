import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SliceQueue } from '@binnacle/event-loop';
import { PieceWriter } from './piecewise.ts';

/** A queue whose slices last for so many steps. */
function createSteps(count: number) {
  let left = count;
  let yields = 0;
  const slices: SliceQueue = {
    isOver: () => left-- <= 0,
    async yield(signal) {
      signal?.throwIfAborted();
      yields++;
      left = count;
    },
  };
  return { slices, yields: () => yields };
}

async function readChunks(writer: PieceWriter): Promise<string[]> {
  const chunks: string[] = [];
  do chunks.push((await writer.next()).toString());
  while (!writer.isDone);
  return chunks;
}

const signal = new AbortController().signal;

test('pieces are joined to chunks that fit into the buffer, and a larger piece is a chunk of its own', async () => {
  const pieces = ['ab', 'cd', 'é€', 'efg', 'x'.repeat(40), 'h', ''];
  const { slices } = createSteps(100);
  const writer = new PieceWriter({ texts: pieces.values(), signal }, Buffer.alloc(8), slices);
  const chunks = await readChunks(writer);
  assert.equal(chunks.join(''), pieces.join(''));
  assert.deepEqual(chunks, ['abcd', 'é€efg', 'x'.repeat(40), 'h']);
});

test('a body that fits into the buffer is one chunk, marked as the last', async () => {
  const { slices } = createSteps(100);
  const writer = new PieceWriter({ texts: ['a', 'b'].values(), signal }, Buffer.alloc(8), slices);
  assert.equal((await writer.next()).toString(), 'ab');
  assert.equal(writer.isDone, true);
});

test('the writer yields at the end of a slice, whatever the number of chunks', async () => {
  const pieces = Array.from({ length: 1_000 }, (_, i) => `${i},`);
  const { slices, yields } = createSteps(10);
  const writer = new PieceWriter({ texts: pieces.values(), signal }, Buffer.alloc(64 * 1024), slices);
  assert.equal((await readChunks(writer)).join(''), pieces.join(''));
  assert.ok(yields() >= 90 && yields() <= 110, String(yields()));
});

test('an abort ends the writer at the next yield without further pieces', async () => {
  const leaving = new AbortController();
  let made = 0;
  const texts = function* (): Generator<string> {
    for (;;) {
      if (++made === 25) leaving.abort(new Error('the client left'));
      yield 'x';
    }
  };
  const { slices } = createSteps(10);
  const pieces = { texts: texts(), signal: leaving.signal };
  const writer = new PieceWriter(pieces, Buffer.alloc(64 * 1024), slices);
  await assert.rejects(writer.next(), /the client left/);
  assert.ok(made < 40, String(made));
});
