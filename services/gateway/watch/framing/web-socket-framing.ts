import type { Framing, OpenFrame } from './framing.ts';

/** The content of a WebSocket frame (RFC 6455 section 5.2). */
export const opcodes = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

const final = 0x80;
const longestShort = 125;
const longestMedium = 0xffff;

/** WebSocket messages of text, one for each event. */
export const textFraming: Framing = {
  id: 'web socket text',
  open: contentSize => openServerFrame(opcodes.text, contentSize),
  first: firstFrame,
};

/** WebSocket messages of bytes, one for each event. */
export const binaryFraming: Framing = {
  id: 'web socket binary',
  open: contentSize => openServerFrame(opcodes.binary, contentSize),
  first: firstFrame,
};

/** Frames of servers are not masked, so they can be the same for all clients. */
function openServerFrame(opcode: number, contentSize: number): OpenFrame {
  const contentStart = headSize(contentSize);
  const buffer = Buffer.allocUnsafe(contentStart + contentSize);
  buffer[0] = final | opcode;
  if (contentSize <= longestShort) buffer[1] = contentSize;
  else if (contentSize <= longestMedium) {
    buffer[1] = 126;
    buffer.writeUInt16BE(contentSize, 2);
  } else {
    buffer[1] = 127;
    // Upper half first; no buffer is so large that a number could not say it exactly.
    buffer.writeUInt32BE(Math.floor(contentSize / 2 ** 32), 2);
    buffer.writeUInt32BE(contentSize % 2 ** 32, 6);
  }
  return { buffer, contentStart };
}

/** A whole message around content. */
export function frameContent(opcode: number, content: Uint8Array): Buffer {
  const { buffer, contentStart } = openServerFrame(opcode, content.length);
  buffer.set(content, contentStart);
  return buffer;
}

function headSize(contentSize: number): number {
  if (contentSize <= longestShort) return 2;
  return contentSize <= longestMedium ? 4 : 10;
}

function firstFrame(frames: Buffer) {
  const short = frames[1] ?? 0;
  const size =
    short <= longestShort
      ? short
      : short === 126
        ? frames.readUInt16BE(2)
        : Number(frames.readBigUInt64BE(2));
  const contentStart = headSize(size);
  return { contentStart, contentEnd: contentStart + size, end: contentStart + size };
}
