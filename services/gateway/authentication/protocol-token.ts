import type { IncomingHttpHeaders } from 'node:http';
import { understood } from '@binnacle/api-names';
import { unauthorized } from '@binnacle/status-errors';

const tokenPrefixes = understood.protocols.tokenProtocol;
const base64 = /^[A-Za-z0-9_+/-]+$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The protocols that a client offers for a WebSocket, in its order. */
export function offeredProtocols(headers: IncomingHttpHeaders): string[] {
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map(protocol => protocol.trim())
    .filter(protocol => protocol !== '');
}

/** Whether an offered protocol carries a bearer token; such a protocol is never sent back. */
export function isTokenProtocol(protocol: string): boolean {
  return tokenPrefixes.some(prefix => protocol.startsWith(prefix));
}

/**
 * The bearer token among the offered protocols of a WebSocket, where browsers can set no header (behaviour of
 * kube-apiserver); undefined without one. Throws Unauthorized for several tokens, for one that cannot be decoded, and
 * when there is no other protocol beside it, because the server could then accept none.
 */
export function readProtocolToken(headers: IncomingHttpHeaders): string | undefined {
  const offered = offeredProtocols(headers);
  const [first, ...more] = offered.filter(isTokenProtocol);
  if (first === undefined) return undefined;
  if (more.length > 0 || offered.length === 1) throw unauthorized();
  const encoded = tokenPrefixes.reduce((text, prefix) => text.replace(prefix, ''), first);
  if (!base64.test(encoded)) throw unauthorized();
  try {
    return utf8.decode(Buffer.from(encoded, 'base64url'));
  } catch {
    throw unauthorized();
  }
}
