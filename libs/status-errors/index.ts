export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  gone,
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
} from './factories.ts';
export type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';
export { ConnectionLost, StatusError, type StatusErrorOptions } from './status-error.ts';
export {
  decodeStatusError,
  type EncodeStatusErrorOptions,
  encodeStatusError,
  statusErrorFrom,
  statusErrorFromStatus,
} from './wire.ts';
