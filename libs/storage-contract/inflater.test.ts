import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createInflateRaw, deflateRawSync } from 'node:zlib';
import { Inflater } from './inflater.ts';

const createText = (index: number): Buffer => Buffer.from(`${index} `.repeat(index * 37));

test('texts of all sizes are decompressed one after the other, and results are independent', () => {
  const inflater = new Inflater(100_000);
  const texts = [...Array(60).keys()].map(createText);
  texts.push(randomBytes(100_000));
  const inflated = texts.map(text => inflater.inflate(deflateRawSync(text)));
  assert.deepEqual(inflated, texts);
});

test('invalid, truncated and too large data is refused, and the next text is decompressed', () => {
  const inflater = new Inflater(1000);
  const good = deflateRawSync(createText(5));
  const bad: [Buffer, object | RegExp][] = [
    [deflateRawSync(Buffer.alloc(1001)), { code: 'ERR_BUFFER_TOO_LARGE' }],
    [deflateRawSync(Buffer.alloc(50_000_000)), { code: 'ERR_BUFFER_TOO_LARGE' }],
    [deflateRawSync(randomBytes(500)).subarray(0, 300), /unexpected end of file/],
    [Buffer.from('no deflate at all'), /invalid/],
    [Buffer.alloc(0), /unexpected end of file/],
  ];
  for (const [bytes, error] of [...bad, ...bad]) {
    assert.throws(() => inflater.inflate(bytes), error);
    assert.deepEqual(inflater.inflate(good), createText(5));
  }
  assert.equal(inflater.inflate(deflateRawSync(Buffer.alloc(1000))).length, 1000);
});

test('this release of Node has the internals that a shared decompressor needs', () => {
  const stream = createInflateRaw() as unknown as Record<string, unknown>;
  assert.equal(typeof stream['_handle'], 'object');
  assert.ok(stream['_writeState'] instanceof Uint32Array);
});
