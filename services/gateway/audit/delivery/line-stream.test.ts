import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { lineStream } from './line-stream.ts';

const { signal } = new AbortController();

test('events are written as lines to a stream', async () => {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      text += String(chunk);
      callback();
    },
  });
  const sink = lineStream(stream);
  await sink.write(['one', 'two'], signal);
  await sink.write(['three'], signal);
  await sink[Symbol.asyncDispose]();
  assert.equal(text, 'one\ntwo\nthree\n');
  assert.equal(stream.writable, true);
});

test('a broken stream fails each write without other effects', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, callback) {
      callback(new Error('broken pipe'));
    },
  });
  const sink = lineStream(stream);
  await assert.rejects(sink.write(['lost'], signal), /broken pipe/);
  await turn();
  await assert.rejects(sink.write(['lost'], signal));
  await turn();
  await sink[Symbol.asyncDispose]();
});
