import { TLSSocket } from 'node:tls';
import type { Exchange } from '../../request/exchange.ts';

/** The message of a failed authentication: the kinds of credentials that the request has, never their values. */
export function authenticationFailure({ request, query }: Exchange): string {
  const { headers, socket } = request;
  const { authorization = '', 'sec-websocket-protocol': protocols = '' } = headers;
  const [scheme = '', credentials = ''] = authorization.trim().split(/ +/, 2);
  const means = [
    ...(/^basic$/i.test(scheme) && credentials !== '' ? ['basic'] : []),
    ...(/^bearer$/i.test(scheme) && credentials !== '' ? ['bearer'] : []),
    ...(/\bbearer\.authorization\./.test(protocols) ? ['websocket'] : []),
    ...((query.get('access_token') ?? '') === '' ? [] : ['access_token']),
    ...(socket instanceof TLSSocket && socket.getPeerX509Certificate() !== undefined ? ['x509'] : []),
  ];
  return means.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${means.join(', ')}`;
}
