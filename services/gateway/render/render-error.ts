import type { JsonValue } from '@binnacle/api-objects';
import type { Status, StatusError } from '@binnacle/status-errors';
import type { Exchange } from '../request/exchange.ts';
import { boundUnreadBody } from '../request/read-body.ts';
import { aliasNamesFor } from '../versions/alias-form.ts';
import { encodeInSlices, encodeValue, metaMessage } from './encode-value.ts';
import { negotiateError } from './negotiate.ts';
import { writeResponse } from './write-response.ts';

/** Causes above which a Status is encoded in slices. */
const manyCauses = 1000;

/** Answers with the Status of an error. */
export function renderError(exchange: Exchange, error: StatusError): void | Promise<void> {
  const { request, response, query } = exchange;
  const representation = negotiateError({
    accept: request.headers.accept,
    userAgent: request.headers['user-agent'],
    query,
  });
  boundUnreadBody(exchange);
  exchange.refusal = statusFor(exchange, error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const retryAfterSeconds = error.retryAfterSeconds ?? pauseAfter(error, exchange);
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // A Status is JSON, whatever its interfaces leave open.
  const status = exchange.refusal as unknown as JsonValue;
  const isLong = error.causes.length > manyCauses;
  const source = metaMessage('Status');
  const content = { code: error.code, contentType: representation.mediaType };
  if (isLong)
    return encodeInSlices(status, representation, source).then(body =>
      writeResponse(exchange, { ...content, body }),
    );
  return writeResponse(exchange, { ...content, body: encodeValue(status, representation, source) });
}

/** Longest `Retry-After` while a service does not answer, in seconds. */
const longestPauseSeconds = 4;

/**
 * The `Retry-After` of an error that names none: random, so that clients do not all return at once after an outage.
 * Clients repeat a request that is answered with `Retry-After`, writes included; therefore a write whose outcome is
 * unknown, or that was passed on to another server, gets none.
 */
function pauseAfter({ code }: StatusError, { request, resolved }: Exchange): number | undefined {
  if (code !== 503 && code !== 504) return undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const mayBeDone = code === 504 || resolved?.info.subresource === 'proxy';
  return isRead || !mayBeDone ? 1 + Math.floor(Math.random() * longestPauseSeconds) : undefined;
}

/** The Status of an error, with the names of the group and of the object's parts that the request used. */
function statusFor({ resolved }: Exchange, error: StatusError): Status {
  if (resolved === undefined) return error.toStatus();
  const { definition, info } = resolved;
  const status = withGroup(error.toStatus(), definition.group, info.group);
  const names = aliasNamesFor(definition, info);
  if (names === undefined) return status;
  const { message, details } = status;
  const causes = details?.causes?.map(cause => ({
    ...cause,
    ...(cause.message !== undefined && { message: names.textToAlias(cause.message) }),
    ...(cause.field !== undefined && { field: names.textToAlias(cause.field) }),
  }));
  return {
    ...status,
    ...(message !== undefined && { message: names.textToAlias(message) }),
    ...(details !== undefined && { details: { ...details, ...(causes !== undefined && { causes }) } }),
  };
}

/** A Status that names the group as the path of its request did; its message begins with the kind or resource and its group. */
function withGroup(status: Status, own: string, group: string): Status {
  const { message, details } = status;
  if (group === own || details?.group !== own) return status;
  const named = `${details.kind ?? ''}.${own} "`;
  return {
    ...status,
    ...(message !== undefined && {
      message: message.replace(named, () => `${details.kind ?? ''}.${group} "`),
    }),
    details: { ...details, group },
  };
}

/** Answers with the plain page for paths that do not exist. */
export function renderPageNotFound(exchange: Exchange): void | Promise<void> {
  boundUnreadBody(exchange);
  exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
  const body = Buffer.from('404 page not found\n');
  return writeResponse(exchange, { code: 404, contentType: 'text/plain; charset=utf-8', body });
}
