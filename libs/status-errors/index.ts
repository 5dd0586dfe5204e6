export { errorMessage, errorStack } from './error-message.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  internalError,
  invalid,
  type KindName,
  methodNotAllowed,
  notAcceptable,
  notFound,
  type ResourceName,
  requestEntityTooLarge,
  resourceNotFound,
  serverTimeout,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  tooManyValues,
  unauthorized,
  unsupportedMediaType,
  verbNotSupported,
} from './factories.ts';
export type { Status, StatusCause } from './status.ts';
export { ConnectionLost, StatusError } from './status-error.ts';
export { decodeStatusError, encodeStatusError, statusErrorFrom, statusErrorFromStatus } from './wire.ts';
