import { internalError, type StatusError } from '@binnacle/status-errors';
import type { ServerDuplexStream, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import type { BoundMethod } from './method-table.ts';

/** A call or a call stream as grpc-js passes it to a handler. */
type Incoming = Pick<
  | ServerUnaryCall<unknown, unknown>
  | ServerWritableStream<unknown, unknown>
  | ServerDuplexStream<unknown, unknown>,
  'getAuthContext'
>;

/** Returns the common name in the caller's certificate; undefined without TLS. */
export function readPeerName(incoming: Incoming): string | undefined {
  const { transportSecurityType, sslPeerCertificate } = incoming.getAuthContext();
  if (transportSecurityType !== 'ssl') return undefined;
  const name = sslPeerCertificate?.subject?.CN;
  return typeof name === 'string' ? name : '';
}

/** Returns the error for a peer that may not call a method; undefined if it may. */
export function callerRefusal(bound: BoundMethod, peer: string | undefined): StatusError | undefined {
  if (peer === undefined || bound.callers === undefined || bound.callers.has(peer)) return undefined;
  // Not a 403, which an API client would attribute to its own rights: the services are misconfigured.
  return internalError(`the service "${peer}" may not call ${bound.label}`);
}
