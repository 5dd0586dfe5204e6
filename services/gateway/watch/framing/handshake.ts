import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { badRequest } from '@binnacle/status-errors';
import { isTokenProtocol, offeredProtocols } from '../../authentication/protocol-token.ts';
import type { HttpRequest, HttpResponse } from '../../request/http-messages.ts';

/** Suffix of a client's key in the hash of the answer (RFC 6455 section 1.3). */
const keySuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const version = '13';
const keyBytes = 16;

/**
 * The headers that accept a request for a WebSocket (RFC 6455 section 4.2.2). The accepted protocol is the first
 * offered one that is not a bearer token; all have the same messages. Throws BadRequest for another version (with
 * `Sec-WebSocket-Version` on the response) and for a malformed key.
 */
export function acceptWebSocket(request: HttpRequest, response: HttpResponse): OutgoingHttpHeaders {
  const { headers } = request;
  if (headers['sec-websocket-version'] !== version) {
    response.setHeader('Sec-WebSocket-Version', version);
    throw badRequest(`Sec-WebSocket-Version must be ${version}`);
  }
  const key = headers['sec-websocket-key'] ?? '';
  if (!isKey(key)) throw badRequest(`Sec-WebSocket-Key must be ${keyBytes} bytes in base64`);
  const protocol = offeredProtocols(headers).find(offered => !isTokenProtocol(offered));
  return {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Accept': createHash('sha1').update(`${key}${keySuffix}`).digest('base64'),
    ...(protocol === undefined ? {} : { 'Sec-WebSocket-Protocol': protocol }),
  };
}

function isKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes && bytes.toString('base64') === text;
}
