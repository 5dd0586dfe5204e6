import { type CallFrame, callFrameCodec, callStreamOpenPath } from '@binnacle/proto';
import type { MethodDefinition } from '@grpc/grpc-js';

const { encode, decode } = callFrameCodec;

/** The bidirectional method that carries call streams, as grpc-js wants it described. */
export const callStreamMethod: MethodDefinition<CallFrame, CallFrame> = {
  path: callStreamOpenPath,
  requestStream: true,
  responseStream: true,
  requestSerialize: encode as (frame: CallFrame) => Buffer,
  requestDeserialize: decode,
  responseSerialize: encode as (frame: CallFrame) => Buffer,
  responseDeserialize: decode,
};
