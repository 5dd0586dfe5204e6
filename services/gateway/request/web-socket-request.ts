import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from './http-messages.ts';

/**
 * Whether a request asks for a WebSocket; other upgrades are not supported, and requests for them are answered without
 * one.
 */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** Whether the HTTP server has handed over the connection of a request that asks for a WebSocket. */
export function isUpgraded(request: HttpRequest): boolean {
  // Node sets it, its types do not know it.
  return (request as { readonly upgrade?: boolean }).upgrade === true;
}
