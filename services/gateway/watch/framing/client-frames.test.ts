import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ClientFrames } from './client-frames.ts';
import { clientFrame } from './test-drivers/client-frame.ts';

/** The reports on some bytes, given in pieces of a size. */
function told(bytes: Buffer, pieceSize = bytes.length): string[] {
  const heard: string[] = [];
  const frames = new ClientFrames({
    ping: payload => heard.push(`ping ${payload}`),
    close: code => heard.push(`close ${code}`),
    fail: code => heard.push(`fail ${code}`),
  });
  for (let at = 0; at < bytes.length; at += pieceSize) frames.take(bytes.subarray(at, at + pieceSize));
  return heard;
}

const close = (code: number, reason = '') =>
  clientFrame(8, Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]));
const text = (size: number) => clientFrame(1, randomBytes(size));
const ping = (payload: string) => clientFrame(9, Buffer.from(payload));

const cases: readonly (readonly [string, Buffer, readonly string[]])[] = [
  ['a ping', ping('hello'), ['ping hello']],
  ['a ping without payload', ping(''), ['ping ']],
  ['pings among data', Buffer.concat([text(7), ping('a'), text(300), ping('b')]), ['ping a', 'ping b']],
  ['the most data in one frame', Buffer.concat([text(4096), ping('a')]), ['ping a']],
  ['more data in one frame', Buffer.concat([text(4097), ping('a')]), ['fail 1009']],
  ['a length of eight bytes', Buffer.concat([clientFrame(2, randomBytes(70_000))]), ['fail 1009']],
  ['a pong', Buffer.concat([clientFrame(10, Buffer.from('x')), ping('a')]), ['ping a']],
  [
    'parts of a message',
    Buffer.concat([clientFrame(1, Buffer.from('a'), { isFinal: false }), clientFrame(0, Buffer.from('b'))]),
    [],
  ],
  ['a close', close(1000), ['close 1000']],
  ['a close with a reason', Buffer.concat([close(3001, 'enough'), ping('a')]), ['close 3001']],
  ['a close without a code', clientFrame(8, Buffer.alloc(0)), ['close 1005']],
  ['a close with half a code', clientFrame(8, Buffer.from([3])), ['fail 1002']],
  ['a close with a code that is never sent', close(1006), ['fail 1002']],
  ['a frame without a mask', Buffer.from([0x81, 0x01, 0x61]), ['fail 1002']],
  ['a reserved bit', Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0]), ['fail 1002']],
  ['an unknown opcode', Buffer.from([0x83, 0x80, 0, 0, 0, 0]), ['fail 1002']],
  ['a ping in parts', clientFrame(9, Buffer.from('a'), { isFinal: false }), ['fail 1002']],
  ['a ping that is too long', clientFrame(9, randomBytes(126)), ['fail 1002']],
];
for (const [name, bytes, expected] of cases) {
  test(`${name}, whole and byte by byte`, () => {
    assert.deepEqual(told(bytes), expected);
    assert.deepEqual(told(bytes, 1), expected);
    assert.deepEqual(told(bytes, 3), expected);
  });
}
