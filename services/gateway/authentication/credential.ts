import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What a request was authenticated by; of an impersonating user, the user's own. */
export type Credential =
  | { readonly kind: 'none' }
  | CertificateCredential
  /** A bearer token, and the user whom it was for when the request came. */
  | { readonly kind: 'token'; readonly token: string; readonly username: string; readonly uid: string };

/** A client certificate, good until a time in ms since 1970. */
export interface CertificateCredential {
  readonly kind: 'certificate';
  readonly expiresAt: number;
}

/** The credential of requests without credentials. */
export const noCredential: Credential = { kind: 'none' };

const certificates = new WeakMap<Socket, CertificateCredential>();

/**
 * The client certificate of a connection as a credential. TLS looked at its dates when the connection began, so a caller
 * that takes it for a later request compares the time. Worked out once a connection.
 */
export function certificateCredential(socket: Socket): CertificateCredential {
  let credential = certificates.get(socket);
  if (credential === undefined) {
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    credential = { kind: 'certificate', expiresAt: certificate?.validToDate.getTime() ?? 0 };
    certificates.set(socket, credential);
  }
  return credential;
}
