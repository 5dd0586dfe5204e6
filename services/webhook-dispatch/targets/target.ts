import type { CallCredentials, CallFailure } from '@binnacle/proto';

/** Where a call goes, with everything that decides on whether a connection can be shared. */
export interface Target {
  /** The URL of the request, with the timeout as its query. */
  readonly url: URL;
  /** The address to connect to when it is not the URL's host. */
  readonly address?: { readonly host: string; readonly port: number } | undefined;
  /** The name that the server's certificate must hold. */
  readonly serverName: string;
  /** PEM; empty means the system's roots. */
  readonly caBundle: string;
  /** The caller's credentials for the other side; undefined: none. */
  readonly credentials?: CallCredentials | undefined;
}

/** A call that failed, and why, in words for the client of the API. */
export class CallFailed extends Error {
  readonly failure: CallFailure;

  constructor(failure: CallFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailed';
    this.failure = failure;
  }
}
