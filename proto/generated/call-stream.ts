// Generated from proto/internal/call_stream.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec } from '../runtime/contract.ts';
import { assertEnd, enumValue, messageEnd, newWriter, noBytes, readerOf, type Reader, type Writer } from '../runtime/wire.ts';

/** `FrameType` of `call_stream.proto`. */
export type FrameType =
  | 'REQUEST'
  | 'CANCEL'
  | 'RESPONSE'
  | 'ERROR'
  | 'DRAIN'
  | 'BUSY'
  | 'FREE'
  | 'PREFERRED'
  | 'ORDINARY'
  | 'PING'
  | 'PONG';

const frameTypeValues: readonly FrameType[] = ['REQUEST', 'CANCEL', 'RESPONSE', 'ERROR', 'DRAIN', 'BUSY', 'FREE', 'PREFERRED', 'ORDINARY', 'PING', 'PONG'];

const frameTypeNumbers: { readonly [name in FrameType]: number } = {
  REQUEST: 0,
  CANCEL: 1,
  RESPONSE: 2,
  ERROR: 3,
  DRAIN: 4,
  BUSY: 5,
  FREE: 6,
  PREFERRED: 7,
  ORDINARY: 8,
  PING: 9,
  PONG: 10,
};

/** Frames that one turn of the sender's event loop made: sending them together costs a fraction of sending each. */
export interface CallFrames {
  frames: CallFrame[];
}

/** Turns `CallFrames` into bytes and back. */
export const callFramesCodec: MessageCodec<CallFrames> = {
  encode: message => writeCallFrames(message, newWriter()).finish(),
  decode: bytes => readCallFrames(readerOf(bytes), bytes.length),
};

/** Appends a `CallFrames` without its length. */
export function writeCallFrames(message: CallFrames, writer: Writer): Writer {
  for (const item of message.frames ?? []) writeCallFrame(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

/** Reads a `CallFrames` that ends at `end`. */
export function readCallFrames(reader: Reader, end: number): CallFrames {
  const message: CallFrames = { frames: [] };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.frames.push(readCallFrame(reader, messageEnd(reader)));
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `CallFrame` of `call_stream.proto`. */
export interface CallFrame {
  type: FrameType;
  id: number;
  /** Path of the method, on the first REQUEST frame of a call. */
  method: string;
  /** Milliseconds that remain until the deadline, on the first REQUEST frame. */
  timeoutMs: number;
  /** W3C traceparent, on the first REQUEST frame. */
  traceparent: string;
  payload: Uint8Array;
  /** More parts of the same payload follow. */
  more: boolean;
  /** W3C tracestate, on the first REQUEST frame. */
  tracestate?: string | undefined;
}

/** Turns `CallFrame` into bytes and back. */
export const callFrameCodec: MessageCodec<CallFrame> = {
  encode: message => writeCallFrame(message, newWriter()).finish(),
  decode: bytes => readCallFrame(readerOf(bytes), bytes.length),
};

/** Appends a `CallFrame` without its length. */
export function writeCallFrame(message: CallFrame, writer: Writer): Writer {
  if (message.type && message.type !== 'REQUEST') writer.uint32(8).int32(frameTypeNumbers[message.type]);
  if (message.id) writer.uint32(16).uint32(message.id);
  if (message.method) writer.uint32(26).string(message.method);
  if (message.timeoutMs) writer.uint32(33).double(message.timeoutMs);
  if (message.traceparent) writer.uint32(42).string(message.traceparent);
  if (message.payload?.length) writer.uint32(50).bytes(message.payload);
  if (message.more) writer.uint32(56).bool(message.more);
  if (message.tracestate !== undefined) writer.uint32(66).string(message.tracestate);
  return writer;
}

/** Reads a `CallFrame` that ends at `end`. */
export function readCallFrame(reader: Reader, end: number): CallFrame {
  const message: CallFrame = { type: 'REQUEST', id: 0, method: '', timeoutMs: 0, traceparent: '', payload: noBytes, more: false };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        message.type = enumValue(frameTypeValues, reader.int32(), 'FrameType');
        break;
      case 16:
        message.id = reader.uint32();
        break;
      case 26:
        message.method = reader.string();
        break;
      case 33:
        message.timeoutMs = reader.double();
        break;
      case 42:
        message.traceparent = reader.string();
        break;
      case 50:
        message.payload = reader.bytes();
        break;
      case 56:
        message.more = reader.bool();
        break;
      case 66:
        message.tracestate = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** Path of the method `Open` of `CallStream`. */
export const callStreamOpenPath = '/binnacle.internal.CallStream/Open';
