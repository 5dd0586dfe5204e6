import { type CallContext, type MethodContract, millisecondsUntil } from '@binnacle/proto';
import { type CallOptions, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { CallUnderWay } from '../call-stream/call-under-way.ts';
import { abortError } from '../protocol/abort-error.ts';
import { statusErrorFromGrpc } from '../protocol/grpc-errors.ts';
import type { Session } from './session.ts';

/** Makes a separate unary gRPC call; rejects only with a `StatusError`. */
export function unaryCall(
  session: Session,
  { method, service }: { method: MethodContract; service: string },
  { request, call }: { request: unknown; call: CallContext },
): Promise<unknown> {
  if (call.signal.aborted) return Promise.reject(abortError(call));
  return new Promise((resolve, reject) => {
    const end = (): void => {
      call.signal.removeEventListener('abort', underWay.cancel);
      session.release(underWay);
    };
    const grpcCall = session.client.makeUnaryRequest(
      method.path,
      method.request.encode as (value: unknown) => Buffer,
      method.response.decode,
      request,
      createMetadata(call),
      grpcCallOptions(call),
      (error, response) => {
        end();
        if (error === null) underWay.resolve(response);
        else
          underWay.reject(
            call.signal.aborted ? abortError(call) : statusErrorFromGrpc(error as ServiceError, service),
          );
      },
    );
    const underWay: CallUnderWay = {
      method,
      request,
      call,
      cancel() {
        underWay.reject(abortError(call));
        grpcCall.cancel();
      },
      resolve,
      reject,
      looks: 0,
      isOverdue: false,
    };
    call.signal.addEventListener('abort', underWay.cancel);
    session.hold(underWay);
  });
}

/** Creates the metadata of a call, which carries its trace context. */
export function createMetadata(call: CallContext): Metadata {
  const metadata = new Metadata();
  const { trace } = call;
  if (trace !== undefined) {
    metadata.set('traceparent', trace.traceparent);
    if (trace.tracestate !== '') metadata.set('tracestate', trace.tracestate);
  }
  return metadata;
}

/** The deadline of a call as grpc-js expects it, by the wall clock; grpc-js converts it to a timeout at once. */
export function grpcCallOptions(call: CallContext): CallOptions {
  return Number.isFinite(call.deadline) ? { deadline: Date.now() + millisecondsUntil(call.deadline) } : {};
}
