/** The credentials of the sender of a request. */
export interface Credentials {
  /** Value of the header `Authorization`. */
  readonly authorization?: string;
  /** PEM, with its key. */
  readonly clientCertificate?: Buffer;
  readonly clientKey?: Buffer;
}

/**
 * Gives credentials, of whatever kind. Equal credentials are the same object, so that a caller can say which of them a server
 * refused.
 */
export interface CredentialSource extends Disposable {
  /** The credentials for the next request. Throws a CredentialError when there are none now, or the signal's reason. */
  current(signal?: AbortSignal): Promise<Credentials>;
  /**
   * Reports that a server answered 401 to some credentials. Resolves with whether `current` has others by now; throws as
   * `current` does.
   */
  renew(refused: Credentials, signal?: AbortSignal): Promise<boolean>;
}

/** The value of the header `Authorization` for a bearer token. */
export function bearer(token: string): string {
  return `Bearer ${token}`;
}
