import type { ServerResponse } from 'node:http';
import type { StatusError } from '@binnacle/status-errors';
import { refusalOf } from './client-error-response.ts';

/** Answers a request of HTTP/1.1 that is not to be served; the connection closes after the answer, in its turn. */
export function refuseRequest(response: ServerResponse, error: StatusError): void {
  const { headers, body } = refusalOf(error);
  response.shouldKeepAlive = false;
  response.writeHead(error.code, headers).end(body);
}
