import { type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import type { Metadata, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { ServerCall } from '../call-stream/server-call.ts';

/** A call as grpc-js hands it to a handler. */
type GrpcServerCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** The context of a call that came as a gRPC call of its own; aborted when the client goes or gives up. */
export function callContextFrom(grpcCall: GrpcServerCall): ServerCall {
  const call = new ServerCall(remaining(grpcCall), readTraceparent(grpcCall.metadata));
  // grpc-js reports 'cancelled' after a normal end as well: an ended call takes no notice.
  grpcCall.on('cancelled', () => call.abort(callerGone()));
  if (grpcCall.cancelled) call.abort(callerGone());
  return call;
}

function callerGone(): StatusError {
  return serviceUnavailable('the caller gave up');
}

function remaining(grpcCall: GrpcServerCall): number {
  const deadline = Number(grpcCall.getDeadline());
  return Number.isFinite(deadline) ? Math.max(1, deadline - Date.now()) : 0;
}

function readTraceparent(metadata: Metadata): string {
  const value = metadata.get('traceparent')[0];
  return typeof value === 'string' ? value : '';
}
