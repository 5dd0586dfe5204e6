import { badRequest, methodNotAllowed, StatusError } from '@binnacle/status-errors';

/** The error for input that the HTTP parser could not read, by the parser's error code. */
export function clientError(code: string): StatusError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new StatusError({
        reason: 'BadRequest',
        code: 431,
        message: 'the headers of the request are too large',
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new StatusError({ reason: 'Timeout', code: 408, message: 'the request did not arrive in time' });
    case 'HPE_INVALID_METHOD':
      return methodNotAllowed();
    default:
      return badRequest('the request is not valid HTTP');
  }
}
