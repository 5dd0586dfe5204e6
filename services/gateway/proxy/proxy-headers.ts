import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers of one connection and not of the message. */
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
