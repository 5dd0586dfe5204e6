import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Sent } from './drivers/conformance-server.ts';

/** A request for a WebSocket. */
export function webSocketRequest(): Sent {
  return {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    },
  };
}

/** Reads the payloads of text frames until there are that many; frames of other kinds are passed over. */
export async function readTextFrames(socket: Duplex, count: number): Promise<string[]> {
  const texts: string[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = frameAt(rest); frame !== undefined; frame = frameAt(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.isText) texts.push(frame.payload.toString('utf8'));
      if (texts.length === count) return texts;
    }
  }
  throw new Error(`the socket ended after ${texts.length} of ${count} frames`);
}

/** The first whole frame of what a server sends, which is never masked. */
function frameAt(bytes: Buffer): { isText: boolean; payload: Buffer; end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1);
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < start + length) return undefined;
  // A final frame of text.
  const isText = bytes.readUInt8(0) === 0x81;
  return { isText, payload: bytes.subarray(start, start + length), end: start + length };
}
