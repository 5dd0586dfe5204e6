import { type CallFrame, type CallFrames, callFramesCodec, callStreamOpenPath } from '@binnacle/proto';
import type { MethodDefinition } from '@grpc/grpc-js';

/** Frames that are sent in one gRPC message of a call stream, in order. */
export type FrameBatch = readonly CallFrame[];

/** The bidirectional streaming method of call streams, as a grpc-js method definition. */
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
  // The codec does not modify the list.
  return callFramesCodec.encode({ frames: frames as CallFrames['frames'] }) as Buffer;
}

function decodeBatch(bytes: Buffer): CallFrame[] {
  return callFramesCodec.decode(bytes).frames;
}
