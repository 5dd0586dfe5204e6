import type { OutgoingHttpHeaders } from 'node:http';
import type { StatusError } from '@binnacle/status-errors';
import { clientError } from '../request/client-error.ts';

/** The whole response to what the HTTP parser could not read, by the parser's error code; the connection closes after it. */
export function clientErrorResponse(code: string): Buffer {
  const error = clientError(code);
  const { headers, body } = refusalOf(error);
  const head = [
    `HTTP/1.1 ${error.code} ${reasonPhrases[error.code] ?? 'Bad Request'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** The Status of a request that never reached the pipeline, and its headers. */
export function refusalOf(error: StatusError): {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
} {
  const body = Buffer.from(JSON.stringify(error.toStatus()));
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': body.length,
  };
  return { headers, body };
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};
