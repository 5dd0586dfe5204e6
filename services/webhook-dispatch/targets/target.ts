import type { CallCredentials, CallFailure } from '@binnacle/proto';

/** The target of a call, with all settings on which the sharing of connections depends. */
export interface Target {
  /** The URL of the request, with the timeout as its query. */
  readonly url: URL;
  /** The address to connect to when it is not the URL's host. */
  readonly address?: { readonly host: string; readonly port: number } | undefined;
  /** The name that the server's certificate must have. */
  readonly serverName: string;
  /** PEM; empty means the system's roots. */
  readonly caBundle: string;
  /** The caller's credentials for the webhook; undefined: none. */
  readonly credentials?: CallCredentials | undefined;
}

/** The failure of a call, with a message for the client of the API. */
export class CallFailed extends Error {
  readonly failure: CallFailure;

  constructor(failure: CallFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailed';
    this.failure = failure;
  }
}
