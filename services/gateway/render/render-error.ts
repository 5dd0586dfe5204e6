import type { JsonValue } from '@binnacle/api-objects';
import type { StatusError } from '@binnacle/status-errors';
import { negotiateError } from '../negotiate/negotiate.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { boundUnreadBody } from '../pipeline/read-body.ts';
import { encodeValue, metaMessage } from './encode-value.ts';
import { writeResponse } from './write-response.ts';

/** Answers with the Status of an error. */
export async function renderError(exchange: Exchange, error: StatusError): Promise<void> {
  const { request, response, query } = exchange;
  const representation = negotiateError({
    accept: request.headers.accept,
    userAgent: request.headers['user-agent'],
    query,
  });
  boundUnreadBody(exchange);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(error.retryAfterSeconds));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // A Status is JSON, whatever its interfaces leave open.
  const status = error.toStatus() as unknown as JsonValue;
  const body = encodeValue(status, representation, metaMessage('Status'));
  await writeResponse(exchange, { code: error.code, contentType: representation.mediaType, body });
}

/** Answers with the plain page for paths under which there is nothing. */
export async function renderPageNotFound(exchange: Exchange): Promise<void> {
  boundUnreadBody(exchange);
  exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
  const body = Buffer.from('404 page not found\n');
  await writeResponse(exchange, { code: 404, contentType: 'text/plain; charset=utf-8', body });
}
