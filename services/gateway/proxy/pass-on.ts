import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { onCallEnd } from '@binnacle/rpc';
import { type StatusError, serviceUnavailable, timeout } from '@binnacle/status-errors';
import type { Exchange } from '../request/exchange.ts';
import { announcesBody } from '../request/http-messages.ts';
import { boundUnreadBody } from '../request/read-body.ts';
import { locationThroughProxy, type ProxiedPath } from './proxied-path.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** Range of the statuses that an answer may have; HTTP/2 allows no others. */
const leastStatus = 200;
const mostStatus = 599;
const badGateway = 502;

/** Options of passing on a request. */
interface PassOnOptions {
  readonly target: ProxyTarget;
  readonly path: ProxiedPath;
  /** The longest until the answer begins, and the longest pause in it, in ms. */
  readonly timeoutMs: number;
}

/**
 * Passes a request on and its answer back, both as streams, each as slow as its reader. Throws ServiceUnavailable when
 * nothing answers and Timeout when the answer does not begin in time; an answer that breaks off is broken off.
 */
export async function passOn(exchange: Exchange, options: PassOnOptions): Promise<void> {
  const ended = new AbortController();
  const onLeave = () => ended.abort(new Error('the client closed the connection'));
  const forget = onCallEnd(exchange.call, onLeave);
  try {
    const answer = await send(exchange, options, ended.signal);
    await sendBack(exchange, answer, options);
  } finally {
    forget();
    // The rest of the request is not needed any more.
    ended.abort(new Error('the answer is complete'));
  }
}

function send(exchange: Exchange, options: PassOnOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = exchange;
  const { target, timeoutMs } = options;
  const outgoing = (target.scheme === 'https' ? httpsRequest : httpRequest)(
    requestOptions(exchange, options),
  );
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const late = setTimeout(() => {
    reject(timeout('error trying to reach service: the answer did not begin in time'));
    outgoing.destroy();
  }, timeoutMs);
  outgoing.setTimeout(timeoutMs, () =>
    outgoing.destroy(new Error('the connection made no progress in time')),
  );
  outgoing.on('error', cause => reject(unreachable(cause)));
  outgoing.on('response', resolve);
  // The rest of a body that the answer did not wait for is left to be discarded: the connection stays usable.
  const giveUp = () => {
    request.unpipe(outgoing);
    request.resume();
    outgoing.destroy();
  };
  signal.addEventListener('abort', giveUp, { once: true });
  if (announcesBody(request)) request.pipe(outgoing);
  else outgoing.end();
  return promise.finally(() => clearTimeout(late));
}

function requestOptions(
  { request, method, call }: Exchange,
  { target, path }: PassOnOptions,
): RequestOptions {
  const { address, port } = target;
  const { host = '' } = request.headers;
  const headers = passedOn(request.headers);
  const isChunked = announcesBody(request) && headers['content-length'] === undefined;
  return {
    host: address,
    port,
    method,
    path: `${path.rest}${path.query}`,
    headers: {
      ...headers,
      // Node would write the body of a GET or a DELETE bare, and the target would read it as the next request.
      ...(isChunked && { 'transfer-encoding': 'chunked' }),
      host: hostFromTarget(target),
      // Otherwise the target closes the connection after its answer, which is lost if the body is still being sent.
      connection: 'keep-alive',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'encrypted' in request.socket ? 'https' : 'http',
      'x-forwarded-uri': path.before + path.rest,
      ...(call.trace && {
        traceparent: call.trace.traceparent,
        tracestate: call.trace.tracestate || undefined,
      }),
    },
    agent: false,
    // The cluster's objects give the target by its address; there is no name that a certificate could be checked
    // for.
    ...(target.scheme === 'https' ? { rejectUnauthorized: false } : {}),
  };
}

async function sendBack(
  exchange: Exchange,
  answer: IncomingMessage,
  { target, path }: PassOnOptions,
): Promise<void> {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) {
    answer.destroy();
    return;
  }
  for (const [name, value] of Object.entries(withoutHops(answer.headers)))
    if (value !== undefined) response.setHeader(name, value);
  const { location } = answer.headers;
  if (location !== undefined) {
    const origin = `${target.scheme}://${hostFromTarget(target)}`;
    response.setHeader('location', locationThroughProxy(location, { before: path.before, origin }));
  }
  boundUnreadBody(exchange);
  const status = answer.statusCode ?? 0;
  const isStatus = status >= leastStatus && status <= mostStatus;
  if (isStatus && answer.statusMessage !== undefined) response.statusMessage = answer.statusMessage;
  response.writeHead(isStatus ? status : badGateway);
  answer.on('data', (chunk: Buffer) => {
    exchange.responseBytes += chunk.length;
  });
  try {
    await pipeline(answer, response);
  } catch {
    // The answer has begun: it can only be broken off.
    response.destroy();
  }
}

/** An error without a cause, so that it is not logged: clients choose the target of a proxy. */
function unreachable({ message }: Error): StatusError {
  return serviceUnavailable(`error trying to reach service: ${message}`);
}

function hostFromTarget({ address, port }: ProxyTarget): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Headers that belong to one connection, not to the message. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Headers that authenticate the client to this server, or that only it can answer: they are not passed on. */
const ownHeaders = new Set(['authorization', 'host', 'expect']);
const ownPrefixes = ['impersonate-', 'x-remote-', 'x-forwarded-'];

/** The headers of a request as they are passed on: without credentials and what belongs to the connection. */
export function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(withoutHops(headers)).filter(
    ([name]) => !ownHeaders.has(name) && !ownPrefixes.some(prefix => name.startsWith(prefix)),
  );
  return Object.fromEntries(kept);
}

/** Headers without those that belong to the connection that they came over. */
export function withoutHops(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map(name => name.trim().toLowerCase()));
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !hopByHop.has(name) && !named.has(name),
  );
  return Object.fromEntries(kept);
}
