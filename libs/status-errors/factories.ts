import type { StatusCause, StatusDetails } from './status.ts';
import { StatusError } from './status-error.ts';

/** A resource type in error messages; group `''` is the core group. */
export interface ResourceName {
  readonly group: string;
  /** Plural, with the subresource if there is one: `services/status`. */
  readonly resource: string;
}

/** A kind in error messages; group `''` is the core group. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** 400: the request is malformed. */
export function badRequest(message: string): StatusError {
  return new StatusError({ reason: 'BadRequest', code: 400, message });
}

/** 401: the request is not authenticated. */
export function unauthorized(message = 'Unauthorized'): StatusError {
  return new StatusError({ reason: 'Unauthorized', code: 401, message });
}

/** 403: the user, or a policy, does not permit the request; `name` is empty for collections. */
export function forbidden(resource: ResourceName, name: string, why: string): StatusError {
  const message =
    resource.resource === '' ? `forbidden: ${why}` : `${subject(resource, name)} is forbidden: ${why}`;
  return new StatusError({ reason: 'Forbidden', code: 403, message, details: createDetails(resource, name) });
}

/** 404: there is no object of this name. */
export function notFound(resource: ResourceName, name: string): StatusError {
  const message = `${subject(resource, name)} not found`;
  return new StatusError({ reason: 'NotFound', code: 404, message, details: createDetails(resource, name) });
}

/** 404: there is no such resource type, group version or subresource. */
export function resourceNotFound(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError({ reason: 'NotFound', code: 404, message, details: {} });
}

/** 405: the resource exists, but does not support the verb. */
export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError({ reason: 'MethodNotAllowed', code: 405, message, details: {} });
}

/** 405: the resource exists, but its definition does not include the verb. */
export function verbNotSupported({ group, resource }: ResourceName, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${resource}.${group}"`;
  return new StatusError({
    reason: 'MethodNotAllowed',
    code: 405,
    message,
    details: { group, kind: resource },
  });
}

/** 406: none of the media types that the client accepts is available. */
export function notAcceptable(available: readonly string[]): StatusError {
  const message = `none of the accepted media types is available; available are: ${available.join(', ')}`;
  return new StatusError({ reason: 'NotAcceptable', code: 406, message });
}

/** 409: the name exists; `retryAfterSeconds` is for clients that use `generateName`. */
export function alreadyExists(
  resource: ResourceName,
  name: string,
  retry: Pick<StatusDetails, 'retryAfterSeconds'> = {},
): StatusError {
  const message = `${subject(resource, name)} already exists`;
  const details = { ...createDetails(resource, name), ...retry };
  return new StatusError({ reason: 'AlreadyExists', code: 409, message, details });
}

/** 409: the object changed, or its state does not permit the request. */
export function conflict(resource: ResourceName, name: string, why: string): StatusError {
  const message = `the operation on ${subject(resource, name)} cannot be completed: ${why}`;
  return new StatusError({ reason: 'Conflict', code: 409, message, details: createDetails(resource, name) });
}

/** 410: the resourceVersion or continue token is older than the available history; the client must list again. */
export function expired(message: string): StatusError {
  return new StatusError({ reason: 'Expired', code: 410, message });
}

/** 413: the body is longer than `limit` bytes. */
export function requestEntityTooLarge(limit: number): StatusError {
  const message = `Request entity too large: limit is ${limit}`;
  return new StatusError({ reason: 'RequestEntityTooLarge', code: 413, message });
}

/** 413: a body, or the object that a patch results in (`what`), has more than `limit` values. */
export function tooManyValues(what: string, limit: number): StatusError {
  const message = `Request entity too large: ${what} has more than ${limit} values (members of objects and elements of lists)`;
  return new StatusError({ reason: 'RequestEntityTooLarge', code: 413, message });
}

/** 415: the body's media type is not one of `accepted`. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the media type of the request body is not supported; accepted media types include: ${accepted.join(', ')}`;
  return new StatusError({ reason: 'UnsupportedMediaType', code: 415, message });
}

/** 422: the object breaks the rules of its kind, one cause for each broken rule in validation order. */
export function invalid(kind: KindName, name: string, causes: readonly StatusCause[]): StatusError {
  const label = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const message = `${label} "${name}" is invalid${formatCauses(causes)}`;
  const details: StatusDetails = {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes: [...causes],
  };
  return new StatusError({ reason: 'Invalid', code: 422, message, details });
}

/** 429: the server does not admit the request now; the client may retry after `retryAfterSeconds`. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({ reason: 'TooManyRequests', code: 429, message, details: { retryAfterSeconds } });
}

/** 500: the server failed; `message` is for the client, `cause` for the log. */
export function internalError(message: string, cause?: unknown): StatusError {
  return new StatusError({
    reason: 'InternalError',
    code: 500,
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
    cause,
  });
}

/** 503: a service that the request needs is unavailable; nothing was changed. */
export function serviceUnavailable(message: string): StatusError {
  return new StatusError({ reason: 'ServiceUnavailable', code: 503, message });
}

/** 504: the deadline of the request passed. */
export function timeout(message: string, retryAfterSeconds?: number): StatusError {
  const details: StatusDetails = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new StatusError({ reason: 'Timeout', code: 504, message, details });
}

/** 504: the server stopped before the deadline of the request; the same request may succeed later. */
export function serverTimeout(
  resource: ResourceName,
  operation: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `the ${operation} of ${qualified(resource)} did not finish in time; try again`;
  const details = { ...createDetails(resource, operation), retryAfterSeconds };
  return new StatusError({ reason: 'ServerTimeout', code: 504, message, details });
}

function qualified(resource: ResourceName): string {
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}

function subject(resource: ResourceName, name: string): string {
  return name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
}

function createDetails(resource: ResourceName, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
  };
}

function formatCauses(causes: readonly StatusCause[]): string {
  const texts = [...new Set(causes.map(formatCause))];
  if (texts.length === 0) return '';
  return texts.length === 1 ? `: ${texts[0]}` : `: [${texts.join(', ')}]`;
}

function formatCause(cause: StatusCause): string {
  return cause.field ? `${cause.field}: ${cause.message ?? ''}` : (cause.message ?? '');
}
