import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { readWatch, readWatchBatches } from './watch-stream.ts';

const line = (type: string, name: string) => `${JSON.stringify({ type, object: { metadata: { name } } })}\n`;
const refusal = `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } })}\n`;

async function* createBody(...parts: readonly string[]): AsyncIterable<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

/** Returns the names in the batches of a watch, and the error that ended it. */
async function read(body: AsyncIterable<Buffer>, signal = new AbortController().signal) {
  const batches: (string | undefined)[][] = [];
  try {
    for await (const messages of readWatchBatches(body, signal))
      batches.push(messages.map(({ object }) => object.metadata.name));
    return { batches, code: 0 };
  } catch (thrown) {
    return { batches, code: thrown instanceof StatusError ? thrown.code : -1 };
  }
}

test('messages that arrive together are one batch, and a partial message waits for its end', async () => {
  const [a, b, c] = [line('ADDED', 'a'), line('MODIFIED', 'b'), line('DELETED', 'c')];
  assert.deepEqual(await read(createBody(a + b, c)), { batches: [['a', 'b'], ['c']], code: 0 });
  const cut = b.length - 5;
  assert.deepEqual(await read(createBody(a + b.slice(0, cut), b.slice(cut) + c)), {
    batches: [['a'], ['b', 'c']],
    code: 0,
  });
});

test('an error is thrown after the messages before it, and later messages are ignored', async () => {
  const body = createBody(line('ADDED', 'a') + refusal + line('ADDED', 'b'));
  assert.deepEqual(await read(body), { batches: [['a']], code: 410 });
});

test('an aborted watch returns nothing more', async () => {
  const stop = new AbortController();
  stop.abort();
  assert.deepEqual(await read(createBody(line('ADDED', 'a')), stop.signal), { batches: [], code: 0 });
});

test('messages can also be read one by one', async () => {
  const names: (string | undefined)[] = [];
  const body = createBody(line('ADDED', 'a') + line('ADDED', 'b'));
  for await (const { object } of readWatch(body, new AbortController().signal))
    names.push(object.metadata.name);
  assert.deepEqual(names, ['a', 'b']);
});
