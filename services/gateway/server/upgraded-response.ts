import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The response to a request that asks for an upgrade, over the socket that the HTTP server has let go of. An answer
 * that accepts the upgrade has code 101 and leaves the socket to the caller; after any other the connection is
 * closed. `head` is what the client sent after its request.
 */
export function upgradedResponse(request: IncomingMessage, socket: Socket, head: Buffer): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The response reports it when the socket closes.
  socket.on('error', () => {});
  if (head.length > 0) socket.unshift(head);
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  return response;
}
