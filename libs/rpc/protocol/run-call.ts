import { sharedNotes } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { badRequest, type StatusError, statusErrorFrom } from '@binnacle/status-errors';
import type { Logger } from '@binnacle/telemetry';
import { traceFields } from '../trace/in-span.ts';
import type { CallMetrics } from './call-metrics.ts';
import type { BoundMethod } from './method-table.ts';

/** Runs a unary handler; rejects only with a `StatusError`. */
export type RunCall = (bound: BoundMethod, call: CallContext, decode: () => unknown) => Promise<unknown>;

/** Creates the function that runs the unary calls of a server, records their metrics and converts failures to `StatusError`s. */
export function createRunCall(metrics: CallMetrics, log: Logger): RunCall {
  return async (bound, call, decode) => {
    const ended = metrics.start(bound.label);
    sharedNotes.begin();
    try {
      const response = await bound.handler(decodeRequest(bound, decode), call);
      ended();
      return response;
    } catch (error) {
      const statusError = handlerError(error, bound, log, call);
      ended(statusError);
      throw statusError;
    }
  };
}

/** Converts an error of a handler to the `StatusError` of the answer; logs the cause of an internal error, which is not sent. */
export function handlerError(
  error: unknown,
  bound: BoundMethod,
  log: Logger,
  call?: CallContext,
): StatusError {
  const statusError = statusErrorFrom(error);
  if (statusError.cause !== undefined && statusError.code === 500) {
    log.error('a call failed', {
      method: bound.label,
      error: statusError.cause,
      ...(call && traceFields(call)),
    });
  }
  return statusError;
}

function decodeRequest(bound: BoundMethod, decode: () => unknown): unknown {
  try {
    return decode();
  } catch {
    throw badRequest(`the request of ${bound.label} cannot be decoded`);
  }
}
