import type { X509Certificate } from 'node:crypto';
import type { TLSSocket, Server as TlsServer } from 'node:tls';

/** By connection: the certificate of the client, which leads to those that it has shown with it. */
const kept = new WeakMap<TLSSocket, X509Certificate | undefined>();
/** More than any path has; the rest of what a client shows is not read. */
const mostShown = 20;

/**
 * Keeps what clients of a server show besides their own certificate, for `certificatesShownWith`.
 *
 * Node forgets the chain of a client when the certificate is first asked for, and since 24.21 asks for it itself before the
 * server sees a connection that verifies (https://github.com/nodejs/node/issues/65579). The event `keylog` is the one that
 * gives the socket earlier; what it says is not used.
 */
export function keepShownCertificates(server: TlsServer): void {
  server.on('keylog', (_line, socket) => {
    if (kept.has(socket)) return;
    kept.set(socket, undefined);
    socket.prependOnceListener('secure', () => kept.set(socket, socket.getPeerX509Certificate()));
  });
}

/** The certificates that a client has shown after its own, in its order. To be asked once a connection. */
export function certificatesShownWith(socket: TLSSocket): X509Certificate[] {
  const shown: X509Certificate[] = [];
  let next = kept.get(socket)?.issuerCertificate;
  while (next !== undefined && shown.length < mostShown) {
    shown.push(next);
    next = next.issuerCertificate;
  }
  kept.delete(socket);
  return shown;
}
