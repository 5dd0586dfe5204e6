/** The credential of a request; of an impersonating user, the user's own. */
export type Credential =
  | { readonly kind: 'none' }
  | CertificateCredential
  /** A bearer token, and the user that it belonged to when the request came. */
  | { readonly kind: 'token'; readonly token: string; readonly username: string; readonly uid: string };

/** A client certificate, good until a time in ms since 1970. */
interface CertificateCredential {
  readonly kind: 'certificate';
  readonly expiresAt: number;
}

/** The credential of requests without credentials. */
export const noCredential: Credential = { kind: 'none' };
