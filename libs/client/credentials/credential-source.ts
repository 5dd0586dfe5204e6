/** The credentials of the sender of a request. */
export interface Credentials {
  /** Value of the header `Authorization`. */
  readonly authorization?: string;
  /** Client certificate in PEM; requires `clientKey`. */
  readonly clientCertificate?: Buffer;
  readonly clientKey?: Buffer;
}

/** A source of credentials. Equal credentials are the same object, so that a caller can report which of them a server refused. */
export interface CredentialSource extends Disposable {
  /** Returns the credentials for the next request. Throws a CredentialError if there are none, or the reason of the signal. */
  current(signal?: AbortSignal): Promise<Credentials>;
  /**
   * Reports that a server refused credentials with 401. Resolves with whether `current` returns different ones now;
   * throws as `current` does.
   */
  renew(refused: Credentials, signal?: AbortSignal): Promise<boolean>;
}

/** Returns the value of the header `Authorization` for a bearer token. */
export function bearer(token: string): string {
  return `Bearer ${token}`;
}
