import { clientError } from '../request/client-error.ts';

/** The whole response to what the HTTP parser could not read, by the parser's error code; the connection closes after it. */
export function clientErrorResponse(code: string): Buffer {
  const error = clientError(code);
  const body = Buffer.from(JSON.stringify(error.toStatus()));
  const head = [
    `HTTP/1.1 ${error.code} ${reasonPhrases[error.code] ?? 'Bad Request'}`,
    'Connection: close',
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};
