import type { X509Certificate } from 'node:crypto';
import type { TLSSocket, Server as TlsServer } from 'node:tls';

/** The certificate of the client by connection; it links to the further certificates that the client sent. */
const kept = new WeakMap<TLSSocket, X509Certificate | undefined>();
/** More than any path has; further certificates of a client are not read. */
const mostShown = 20;

/**
 * Keeps the further certificates that clients of a server send, for `certificatesShownWith`.
 *
 * Node forgets the chain of a client when the certificate is first asked for, and since 24.21 asks for it itself
 * before the server sees a connection that verifies (https://github.com/nodejs/node/issues/65579). Only the event
 * `keylog` gives the socket earlier; its data is not used.
 */
export function keepShownCertificates(server: TlsServer): void {
  server.on('keylog', (_line, socket) => {
    if (kept.has(socket)) return;
    kept.set(socket, undefined);
    socket.prependOnceListener('secure', () => kept.set(socket, socket.getPeerX509Certificate()));
  });
}

/** The certificates that a client sent after its own, in its order. Call it once a connection. */
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
