import type { Socket } from 'node:net';
import { responseUnderWay } from '@binnacle/service-kit';
import type { StatusError } from '@binnacle/status-errors';
import { clientErrorResponse } from './client-error-response.ts';

/** How long a client may take to read why it was refused; closing at once would lose what is on its way. */
const lingerMs = 1_000;

const refused = new WeakSet<Socket>();

/**
 * Answers bytes that are no request, or that came too late, with an error, and closes the connection
 * whether the client reads the answer or not. An answer that is complete, and waits for its reader, goes first. Nothing is sent where
 * nothing was received, because a client that opened a connection for later would take the answer for that of its next request, and
 * where another answer has begun that is not complete. Further faults of the same connection change nothing.
 */
export function refuseBytes(socket: Socket, error: StatusError): void {
  if (refused.has(socket)) return;
  const answer = responseUnderWay(socket);
  const isInterrupted = answer?.headersSent === true && !answer.writableEnded;
  if (!socket.writable || socket.bytesRead === 0 || isInterrupted) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const linger = (): void => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  // A reader has the time that every answer has, which the guard of connections measures.
  if (answer?.headersSent === true) socket.once('finish', linger);
  else linger();
  socket.end(clientErrorResponse(error));
}
