import { type CallFrame, callStreamOpenPath, readCallFrame, writeCallFrame } from '@binnacle/proto';
import type { MethodDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs/minimal.js';

/** Frames that travel together, in order: one message of a call stream. */
export type FrameBatch = readonly CallFrame[];

/** Tag of field 1, embedded messages: `repeated CallFrame frames = 1`. */
const framesTag = 10;

/** The bidirectional method that carries call streams, as grpc-js wants it described. */
export const callStreamMethod: MethodDefinition<FrameBatch, FrameBatch> = {
  path: callStreamOpenPath,
  requestStream: true,
  responseStream: true,
  requestSerialize: encodeBatch,
  requestDeserialize: decodeBatch,
  responseSerialize: encodeBatch,
  responseDeserialize: decodeBatch,
};

function encodeBatch(frames: FrameBatch): Buffer {
  const writer = protobuf.Writer.create();
  for (const frame of frames) writeCallFrame(frame, writer.uint32(framesTag).fork()).ldelim();
  return writer.finish() as Buffer;
}

function decodeBatch(bytes: Buffer): CallFrame[] {
  const reader = protobuf.Reader.create(bytes);
  const frames: CallFrame[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === framesTag) frames.push(readCallFrame(reader, reader.uint32() + reader.pos));
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  return frames;
}
