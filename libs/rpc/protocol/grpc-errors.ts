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

/** The trailer that carries a `StatusError` through a gRPC call. */
const statusTrailer = 'binnacle-status-bin';

/** Trailers are headers of HTTP/2, which peers limit: an error above this size loses causes. */
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

/** An error as a gRPC server answers it. */
export function grpcErrorFrom(error: StatusError): Partial<StatusObject> & Error {
  const metadata = new Metadata();
  metadata.set(statusTrailer, Buffer.from(encodeStatusError(error, { maxBytes: maxTrailerBytes })));
  const code =
    error.reason === 'AlreadyExists' ? status.ALREADY_EXISTS : (grpcCodes[error.code] ?? status.INTERNAL);
  return Object.assign(new Error(error.message), { code, details: error.reason, metadata });
}

/** The error of a failed gRPC call to `service`: the server's own, or one for the transport's failure. */
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
      return serviceUnavailable(`${service} does not offer this method`);
    default:
      return internalError(`a call to ${service} failed`, error);
  }
}

/** Whether grpc-js says of a call that no handler has seen it: refused by the HTTP/2 peer, or never sent for lack of a connection. */
function wasNotProcessed({ details }: ServiceError): boolean {
  return /^(Stream refused by server|No connection established)/.test(details);
}
