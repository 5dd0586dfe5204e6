import { receivedTrace, type Tracer } from '@binnacle/proto';
import { type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import type { Metadata, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { ServerCall } from '../call-stream/server-call.ts';

/** A call as grpc-js passes it to a handler. */
type GrpcServerCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** Creates the context of a separate gRPC call; it aborts when the client disconnects or cancels. */
export function callContextFrom(grpcCall: GrpcServerCall, tracer: Tracer | undefined): ServerCall {
  const { metadata } = grpcCall;
  const trace = receivedTrace(readText(metadata, 'traceparent'), readText(metadata, 'tracestate'), tracer);
  const call = new ServerCall(remaining(grpcCall), trace);
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

function readText(metadata: Metadata, name: string): string {
  const value = metadata.get(name)[0];
  return typeof value === 'string' ? value : '';
}
