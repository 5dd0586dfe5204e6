import { isIP } from 'node:net';
import { clientOf } from '@binnacle/connections';
import type { HttpRequest } from '../../request/http-messages.ts';

/** Most addresses that are taken from headers. */
const mostForwarded = 64;
const mappedPrefix = '::ffff:';

/**
 * The addresses of `X-Forwarded-For`, that of `X-Real-Ip`, and last the peer of the connection, as kube-apiserver lists them.
 * Clients can forge all but the last.
 */
export function sourceIPsOf({ headers, socket }: Pick<HttpRequest, 'headers' | 'socket'>): string[] {
  const { 'x-forwarded-for': forwarded, 'x-real-ip': real } = headers;
  const peer = withoutMapping(clientOf(socket) ?? '');
  if (forwarded === undefined && real === undefined) return peer === '' ? [] : [peer];
  const addresses = String(forwarded ?? '')
    .split(',', mostForwarded)
    .map(text => text.trim())
    .filter(text => isIP(text) !== 0);
  const named = String(real ?? '').trim();
  if (isIP(named) !== 0 && !addresses.includes(named)) addresses.push(named);
  if (peer !== '' && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

function withoutMapping(address: string): string {
  const isMapped = address.toLowerCase().startsWith(mappedPrefix) && address.includes('.');
  return isMapped ? address.slice(mappedPrefix.length) : address;
}
