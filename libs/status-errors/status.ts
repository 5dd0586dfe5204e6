/**
 * The machine-readable cause of a failure, as clients switch on it.
 *
 * The listed values are those that this server gives itself; a webhook or a policy may name another.
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

/** One thing that is wrong with a request: `FieldValueRequired` at `spec.ports`, for example. */
export interface StatusCause {
  reason?: string;
  message?: string;
  /** Path of the field in the object that the client sent. */
  field?: string;
}

/** The object of a failure (or of a deletion). */
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
