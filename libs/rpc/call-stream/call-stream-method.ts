import { type CallFrame, type CallFrames, callFramesCodec, callStreamOpenPath } from '@binnacle/proto';
import type { MethodDefinition } from '@grpc/grpc-js';

/** Frames that travel together, in order: one message of a call stream. */
export type FrameBatch = readonly CallFrame[];

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
  // Encoding reads the list and does not change it.
  return callFramesCodec.encode({ frames: frames as CallFrames['frames'] }) as Buffer;
}

function decodeBatch(bytes: Buffer): CallFrame[] {
  return callFramesCodec.decode(bytes).frames;
}
