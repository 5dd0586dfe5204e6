/**
 * The machine-readable reason of a failure, which clients evaluate.
 *
 * The list holds the reasons of this server; a webhook or a policy may return others.
 */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'ServerTimeout'
  | 'Timeout'
  | (string & {});

/** One cause of a failure, for example `FieldValueRequired` at `spec.ports`. */
export interface StatusCause {
  reason?: string;
  message?: string;
  /** Path of the field in the object that the client sent. */
  field?: string;
}

/** The object that a failure or a deletion is about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  /** The plural resource name; the kind in an `Invalid` status. */
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The body of every error response, and of a deletion that returns no object. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  /** The HTTP status code. */
  code: number;
}
