import type { CallContext, MethodContract } from '@binnacle/proto';
import type { ServiceError } from '@grpc/grpc-js';
import { abortError } from '../protocol/abort-error.ts';
import { statusErrorFromGrpc } from '../protocol/grpc-errors.ts';
import type { Session } from './session.ts';
import { createMetadata, grpcCallOptions } from './unary-call.ts';

/**
 * Makes a server-streaming call with backpressure: the server sends as fast as messages are read. Leaving the loop
 * cancels the call.
 */
export async function* streamingCall(
  session: Session,
  { method, service }: { method: MethodContract; service: string },
  { request, call }: { request: unknown; call: CallContext },
): AsyncGenerator<unknown, void, undefined> {
  if (call.signal.aborted) throw abortError(call);
  const release = session.holdForStream();
  const stream = session.client.makeServerStreamRequest(
    method.path,
    method.request.encode as (value: unknown) => Buffer,
    method.response.decode,
    request,
    createMetadata(call),
    grpcCallOptions(call),
  );
  const cancel = () => stream.cancel();
  call.signal.addEventListener('abort', cancel);
  // The loop below receives errors too; this listener handles those that follow it.
  stream.on('error', () => {});
  try {
    for await (const message of stream) {
      if (call.signal.aborted) throw abortError(call);
      yield message;
    }
    if (call.signal.aborted) throw abortError(call);
  } catch (error) {
    if (call.signal.aborted) throw abortError(call);
    throw isServiceError(error) ? statusErrorFromGrpc(error, service) : error;
  } finally {
    call.signal.removeEventListener('abort', cancel);
    stream.cancel();
    release();
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}
