import { opcodes } from './web-socket-framing.ts';

/** Handlers of a client's frames. */
interface ClientFrameHandlers {
  ping(payload: Buffer): void;
  /** Called when the client closes, with its code, or 1005 when it gave none. */
  close(code: number): void;
  /** Called with the code to close with when the client broke the rules of the protocol, or sent too much. */
  fail(code: number): void;
}

/** Codes of close frames (RFC 6455 section 7.4.1). */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  noStatus: 1005,
  tooBig: 1009,
} as const;

/** Most bytes of data that are skipped: clients of a watch have nothing to send. */
const longestData = 4096;
const longestControl = 125;
const maskBytes = 4;

interface Head {
  readonly opcode: number;
  readonly size: number;
  readonly headBytes: number;
}

/**
 * Reads the frames that a client of a watch sends (RFC 6455 section 5): handlers answer its pings and its close, data
 * is skipped. Holds at most one control frame; reads nothing after a close or an error.
 */
export class ClientFrames {
  readonly #handlers: ClientFrameHandlers;
  /** The beginning of a frame whose head, or whose control payload, is not whole yet. */
  #held: Buffer = Buffer.alloc(0);
  /** Bytes of data that are still to be skipped. */
  #skip = 0;
  #isOver = false;

  constructor(handlers: ClientFrameHandlers) {
    this.#handlers = handlers;
  }

  /** Reads bytes from the connection. */
  take(bytes: Buffer): void {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    while (!this.#isOver) {
      const skipped = Math.min(this.#skip, rest.length);
      this.#skip -= skipped;
      rest = rest.subarray(skipped);
      const used = this.#takeFrame(rest);
      if (used === 0) break;
      rest = rest.subarray(used);
    }
    // A copy: what a socket gives may be a slice of something large.
    this.#held = this.#isOver ? Buffer.alloc(0) : Buffer.from(rest);
  }

  /** Reads a control frame, or the head of a data frame; returns the number of bytes read, 0 when it is not whole. */
  #takeFrame(bytes: Buffer): number {
    const fault = findFault(bytes);
    if (fault !== undefined) return this.#end(() => this.#handlers.fail(fault));
    const head = parseHead(bytes);
    if (head === undefined) return 0;
    const { opcode, size, headBytes } = head;
    if (opcode < opcodes.close) {
      if (size > longestData) return this.#end(() => this.#handlers.fail(closeCodes.tooBig));
      this.#skip = size;
      return headBytes;
    }
    const end = headBytes + size;
    if (bytes.length < end) return 0;
    const payload = unmasked(
      bytes.subarray(headBytes - maskBytes, headBytes),
      bytes.subarray(headBytes, end),
    );
    if (opcode === opcodes.ping) this.#handlers.ping(payload);
    else if (opcode === opcodes.close) this.#takeClose(payload);
    return end;
  }

  #takeClose(payload: Buffer): void {
    const code = payload.length === 0 ? closeCodes.noStatus : parseCloseCode(payload);
    this.#end(() => {
      if (code === undefined) this.#handlers.fail(closeCodes.protocolError);
      else this.#handlers.close(code);
    });
  }

  #end(tell: () => void): 0 {
    this.#isOver = true;
    tell();
    return 0;
  }
}

/** The close code when the first two bytes of a frame break the rules; undefined when they do not. */
function findFault(bytes: Buffer): number | undefined {
  const [first, second] = bytes;
  if (first === undefined) return undefined;
  const opcode = first & 0x0f;
  const isControl = opcode >= opcodes.close;
  const isKnown = opcode <= opcodes.binary || (isControl && opcode <= opcodes.pong);
  const hasReservedBits = (first & 0x70) !== 0;
  if (!isKnown || hasReservedBits) return closeCodes.protocolError;
  if (second === undefined) return undefined;
  const isMasked = (second & 0x80) !== 0;
  const isWhole = (first & 0x80) !== 0;
  if (!isMasked || (isControl && (!isWhole || (second & 0x7f) > longestControl))) {
    return closeCodes.protocolError;
  }
  return undefined;
}

/** The head of a frame that breaks no rules; undefined when it is not whole. */
function parseHead(bytes: Buffer): Head | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const headBytes = 2 + lengthBytes + maskBytes;
  if (bytes.length < headBytes) return undefined;
  const size =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { opcode: first & 0x0f, size, headBytes };
}

/** The code of a close frame; undefined for one that may not be sent. */
function parseCloseCode(payload: Buffer): number | undefined {
  if (payload.length < 2) return undefined;
  const code = payload.readUInt16BE(0);
  const isOfProtocol = code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
  return isOfProtocol || (code >= 3000 && code <= 4999) ? code : undefined;
}

function unmasked(mask: Buffer, payload: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(payload.length);
  for (let i = 0; i < payload.length; i++) plain[i] = (payload[i] ?? 0) ^ (mask[i % maskBytes] ?? 0);
  return plain;
}
