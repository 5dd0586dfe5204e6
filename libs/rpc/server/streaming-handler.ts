import { once } from 'node:events';
import { unlessAborted } from '@binnacle/event-loop';
import type { Tracer } from '@binnacle/proto';
import { type StatusError, serviceUnavailable } from '@binnacle/status-errors';
import type { Logger } from '@binnacle/telemetry';
import { type handleServerStreamingCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import type { ServerCall } from '../call-stream/server-call.ts';
import type { CallMetrics } from '../protocol/call-metrics.ts';
import { grpcErrorFrom } from '../protocol/grpc-errors.ts';
import type { BoundMethod } from '../protocol/method-table.ts';
import { callerRefusal, readPeerName } from '../protocol/peer.ts';
import { handlerError } from '../protocol/run-call.ts';
import { callContextFrom } from './grpc-call-context.ts';

/** Options of the handlers of streaming methods. */
export interface StreamingHandlerOptions {
  readonly metrics: CallMetrics;
  readonly log: Logger;
  readonly tracer: Tracer | undefined;
  /** Aborted when the server stops: endless streams end, and their clients open them on other pods. */
  readonly stopping: AbortSignal;
}

/**
 * Creates the grpc-js handler of a server-streaming method, with backpressure: it reads the next message when the last
 * one has been written.
 */
export function streamingHandler(
  bound: BoundMethod,
  options: StreamingHandlerOptions,
): handleServerStreamingCall<unknown, unknown> {
  return grpcCall => {
    const refusal = callerRefusal(bound, readPeerName(grpcCall));
    if (refusal) {
      grpcCall.emit('error', grpcErrorFrom(refusal));
      return;
    }
    const call = callContextFrom(grpcCall, options.tracer);
    const ended = options.metrics.start(bound.label);
    const stop = () => call.abort(serviceUnavailable('the server is stopping'));
    options.stopping.addEventListener('abort', stop);
    grpcCall.on('error', () => {});
    pump(bound, grpcCall, call)
      .then(
        () => ended(),
        (error: unknown) => {
          const statusError = handlerError(error, bound, options.log);
          ended(statusError);
          refuse(grpcCall, statusError, options.stopping);
        },
      )
      .finally(() => {
        call.end();
        options.stopping.removeEventListener('abort', stop);
        if (!grpcCall.writableEnded && !grpcCall.destroyed) grpcCall.end();
      });
    if (options.stopping.aborted) stop();
  };
}

async function pump(bound: BoundMethod, grpcCall: ServerWritableStream<unknown, unknown>, call: ServerCall) {
  const { signal } = call;
  const iterator = (bound.handler(grpcCall.request, call) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await unlessAborted(iterator.next(), signal);
      if (next.done) return;
      if (!grpcCall.write(next.value)) await unlessAborted(once(grpcCall, 'drain', { signal }), signal);
    }
  } finally {
    // Not awaited: a handler that waits in `next` ends later.
    iterator.return?.()?.then(undefined, () => {});
  }
}

function refuse(
  grpcCall: ServerWritableStream<unknown, unknown>,
  error: StatusError,
  stopping: AbortSignal,
): void {
  if (grpcCall.cancelled || grpcCall.destroyed) return;
  // Without the trailer the client sees a lost connection, and opens its stream on another pod.
  const answer = stopping.aborted
    ? Object.assign(new Error('stopping'), { code: status.UNAVAILABLE, details: 'the server is stopping' })
    : grpcErrorFrom(error);
  grpcCall.emit('error', answer);
}
