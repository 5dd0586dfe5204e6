import { randomBytes } from 'node:crypto';

/** A frame as a client sends it: masked. */
export function clientFrame(opcode: number, payload: Buffer, { isFinal = true } = {}): Buffer {
  const mask = randomBytes(4);
  const masked = payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([createHead(opcode | (isFinal ? 0x80 : 0), payload.length), mask, masked]);
}

function createHead(first: number, size: number): Buffer {
  if (size <= 125) return Buffer.from([first, 0x80 | size]);
  const isMedium = size <= 0xffff;
  const head = Buffer.alloc(isMedium ? 4 : 10);
  head[0] = first;
  head[1] = 0x80 | (isMedium ? 126 : 127);
  if (isMedium) head.writeUInt16BE(size, 2);
  else head.writeBigUInt64BE(BigInt(size), 2);
  return head;
}
