import type { Socket } from 'node:net';
import { responseUnderWay } from '@binnacle/service-kit';
import type { StatusError } from '@binnacle/status-errors';
import { clientErrorResponse } from './client-error-response.ts';

/** How long a client may take to read why it was refused; closing at once would lose what is on its way. */
const lingerMs = 1_000;

/**
 * Answers bytes that are no request, or that came too late, with an error, and closes the connection
 * whether the client reads the answer or not. Nothing is sent where nothing was received, because a client that opened a
 * connection for later would take the answer for that of its next request, and where another answer has begun.
 */
export function refuseBytes(socket: Socket, error: StatusError): void {
  const isAnswered = responseUnderWay(socket)?.headersSent === true;
  if (!socket.writable || socket.bytesRead === 0 || isAnswered) {
    socket.destroy();
    return;
  }
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(linger));
  socket.end(clientErrorResponse(error));
}
