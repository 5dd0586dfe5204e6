import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { StatusError } from '@binnacle/status-errors';

/** The whole response to bytes that are no request; the connection closes after it. */
export function clientErrorResponse(error: StatusError): Buffer {
  const { headers, body } = createRefusal(error);
  const head = [
    `HTTP/1.1 ${error.code} ${reasonPhrases[error.code] ?? 'Bad Request'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** Answers a request of HTTP/1.1 that is not to be served; the connection closes after the answer, in its turn. */
export function refuseRequest(response: ServerResponse, error: StatusError): void {
  const { headers, body } = createRefusal(error);
  response.shouldKeepAlive = false;
  response.writeHead(error.code, headers).end(body);
}

/** The Status of a request that never reached the pipeline, and its headers. */
function createRefusal(error: StatusError): {
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
