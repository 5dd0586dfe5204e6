import {
  ConnectionLost,
  decodeStatusError,
  encodeStatusError,
  internalError,
  type StatusError,
  serviceUnavailable,
  timeout,
} from '@binnacle/status-errors';
import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';

/** The trailer of a gRPC call that carries a `StatusError`. */
const statusTrailer = 'binnacle-status-bin';

/** Maximum size of the trailer, in bytes: HTTP/2 peers limit headers. A larger error loses causes. */
const maxTrailerBytes = 8 * 1024;

const grpcCodes: { readonly [httpCode: number]: status } = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  405: status.UNIMPLEMENTED,
  409: status.ABORTED,
  410: status.OUT_OF_RANGE,
  413: status.RESOURCE_EXHAUSTED,
  422: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
  504: status.DEADLINE_EXCEEDED,
};

/** Converts a `StatusError` to the error that a gRPC server sends. */
export function grpcErrorFrom(error: StatusError): Partial<StatusObject> & Error {
  const metadata = new Metadata();
  metadata.set(statusTrailer, Buffer.from(encodeStatusError(error, { maxBytes: maxTrailerBytes })));
  const code =
    error.reason === 'AlreadyExists' ? status.ALREADY_EXISTS : (grpcCodes[error.code] ?? status.INTERNAL);
  return Object.assign(new Error(error.message), { code, details: error.reason, metadata });
}

/**
 * Converts the error of a failed gRPC call to `service`: the server's own `StatusError`, or one for the failure of the
 * transport.
 */
export function statusErrorFromGrpc(error: ServiceError, service: string): StatusError {
  const trailer = error.metadata?.get(statusTrailer)[0];
  if (Buffer.isBuffer(trailer)) return decodeStatusError(trailer);
  switch (error.code) {
    case status.DEADLINE_EXCEEDED:
      return timeout(`${service} did not answer in time`);
    case status.UNAVAILABLE:
    case status.CANCELLED:
    case status.UNKNOWN:
      return new ConnectionLost(`the connection to ${service} broke`, error, {
        isUnprocessed: wasNotProcessed(error),
      });
    case status.INTERNAL:
      return /RST_STREAM|session|socket|ECONN/i.test(error.details)
        ? new ConnectionLost(`the connection to ${service} broke`, error)
        : internalError(`a call to ${service} failed`, error);
    case status.UNIMPLEMENTED:
      return serviceUnavailable(`${service} does not support this method`);
    default:
      return internalError(`a call to ${service} failed`, error);
  }
}

/** Whether grpc-js reports that no handler has seen the call: the HTTP/2 peer refused it, or there was no connection. */
function wasNotProcessed({ details }: ServiceError): boolean {
  return /^(Stream refused by server|No connection established)/.test(details);
}
