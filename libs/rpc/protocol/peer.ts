import { internalError, type StatusError } from '@binnacle/status-errors';
import type { ServerDuplexStream, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import type { BoundMethod } from './method-table.ts';

/** A call, or a stream of calls, as grpc-js hands it to a server. */
type Incoming = Pick<
  | ServerUnaryCall<unknown, unknown>
  | ServerWritableStream<unknown, unknown>
  | ServerDuplexStream<unknown, unknown>,
  'getAuthContext'
>;

/** The name in the caller's certificate; undefined without TLS. */
export function readPeerName(incoming: Incoming): string | undefined {
  const { transportSecurityType, sslPeerCertificate } = incoming.getAuthContext();
  if (transportSecurityType !== 'ssl') return undefined;
  const name = sslPeerCertificate?.subject?.CN;
  return typeof name === 'string' ? name : '';
}

/** Why a peer may not call a method; undefined when it may. */
export function callerRefusal(bound: BoundMethod, peer: string | undefined): StatusError | undefined {
  if (peer === undefined || bound.callers === undefined || bound.callers.has(peer)) return undefined;
  // Not a 403, which a client of the API would take for its own: the services are set up wrongly.
  return internalError(`the service "${peer}" may not call ${bound.label}`);
}
