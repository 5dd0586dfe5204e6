import { type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import type { Metadata, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { ServerCall } from '../call-stream/server-call.ts';

/** A call as grpc-js passes it to a handler. */
type GrpcServerCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** Creates the context of a separate gRPC call; it aborts when the client disconnects or cancels. */
export function callContextFrom(grpcCall: GrpcServerCall): ServerCall {
  const call = new ServerCall(remaining(grpcCall), readTraceparent(grpcCall.metadata));
  // grpc-js emits 'cancelled' after a normal end too; `abort` has no effect on an ended call.
  grpcCall.on('cancelled', () => call.abort(callerGone()));
  if (grpcCall.cancelled) call.abort(callerGone());
  return call;
}

function callerGone(): StatusError {
  return serviceUnavailable('the caller cancelled the call');
}

function remaining(grpcCall: GrpcServerCall): number {
  const deadline = Number(grpcCall.getDeadline());
  return Number.isFinite(deadline) ? Math.max(1, deadline - Date.now()) : 0;
}

function readTraceparent(metadata: Metadata): string {
  const value = metadata.get('traceparent')[0];
  return typeof value === 'string' ? value : '';
}
