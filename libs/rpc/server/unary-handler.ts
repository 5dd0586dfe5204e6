import { internalError, type StatusError } from '@binnacle/status-errors';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { grpcErrorFrom } from '../protocol/grpc-errors.ts';
import type { BoundMethod } from '../protocol/method-table.ts';
import { callerRefusal, readPeerName } from '../protocol/peer.ts';
import type { RunCall } from '../protocol/run-call.ts';
import { callContextFrom } from './grpc-call-context.ts';

/** The grpc-js handler of a unary method. */
export function unaryHandler(bound: BoundMethod, runCall: RunCall): handleUnaryCall<unknown, unknown> {
  return (grpcCall, callback) => {
    const refusal = callerRefusal(bound, readPeerName(grpcCall));
    if (refusal) return callback(grpcErrorFrom(refusal));
    const call = callContextFrom(grpcCall);
    runCall(bound, call, () => grpcCall.request)
      .then(
        response => {
          call.end();
          callback(null, response);
        },
        (error: StatusError) => {
          call.end();
          callback(grpcErrorFrom(error));
        },
      )
      .catch((error: unknown) =>
        callback(grpcErrorFrom(internalError('the answer could not be sent', error))),
      );
  };
}
