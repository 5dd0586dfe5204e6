/** Reasons for which a KMS plugin did not do what it was called for. */
export type KmsFailure =
  /** There is no connection to its socket. */
  | 'unreachable'
  /** It did not answer in time. */
  | 'silent'
  /** It answered with an error. */
  | 'refused'
  /** Its answer, or its status, is not of the API. */
  | 'malformed'
  /** Too many calls wait for it, or a call waited too long for its turn. */
  | 'overloaded';

/**
 * The error of a call of a KMS plugin. The message names the plugin and may be sent to clients; `cause` holds the plugin's own
 * words, for the log.
 */
export class KmsError extends Error {
  override readonly name = 'KmsError';
  readonly failure: KmsFailure;

  constructor(failure: KmsFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** Quotes a text of a plugin, at most its beginning. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
