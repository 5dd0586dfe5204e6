import type { Agent, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { readJson } from '@binnacle/api-objects';
import { RemoteWebhookError } from './remote-webhook-error.ts';

/** A POST to a webhook. */
interface Post {
  readonly server: URL;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** Maximum size of an answer, in bytes. */
const maxAnswerBytes = 1024 * 1024;

/**
 * Posts JSON once and returns the parsed answer. Throws a RemoteWebhookError for every failure, including a redirect, or
 * Node's error if the signal aborts.
 */
export function postJson({ server, agent, headers, body, signal }: Post): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const lost = (cause: Error): void =>
    reject(signal.aborted ? cause : connectionError(server, readErrorCode(cause) ?? cause.message));
  const request = httpsRequest(server, {
    method: 'POST',
    agent,
    signal,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  request.on('error', lost);
  request.on('response', response => {
    response.on('error', lost);
    const status = response.statusCode ?? 0;
    const isSuccess = status >= 200 && status <= 299;
    // The body of an error response is read only so that the connection can be reused.
    readBody(response, server)
      .catch(error => (isSuccess ? Promise.reject(error) : ''))
      .then(text => (isSuccess ? parsed(text, server) : Promise.reject(statusError(server, response))))
      .then(resolve, reject);
  });
  request.end(body);
  return promise;
}

function readBody(response: IncomingMessage, server: URL): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const parts: Buffer[] = [];
  let size = 0;
  response.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxAnswerBytes) return void parts.push(part);
    reject(answerError(server, `the answer is larger than ${maxAnswerBytes} bytes`));
    response.destroy();
  });
  response.on('end', () => resolve(Buffer.concat(parts).toString()));
  return promise;
}

function parsed(text: string, server: URL): unknown {
  try {
    return readJson(text);
  } catch {
    // The parser's error message quotes the text, which may hold a secret.
    throw answerError(server, 'the answer is not JSON');
  }
}

function statusError(server: URL, { statusCode: status = 0, headers }: IncomingMessage): RemoteWebhookError {
  const isRedirect = status >= 300 && status < 400;
  const seconds = Number(headers['retry-after'] ?? 0);
  return new RemoteWebhookError(server, {
    kind: 'status',
    status,
    problem: isRedirect ? `redirect with status ${status} is not followed` : `answered with status ${status}`,
    mayRetry: status >= 500 || status === 429,
    retryAfterMs: seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : 0,
  });
}

function connectionError(server: URL, problem: string): RemoteWebhookError {
  return new RemoteWebhookError(server, {
    kind: 'connection',
    problem: `cannot be reached: ${problem}`,
    mayRetry: true,
  });
}

function answerError(server: URL, problem: string): RemoteWebhookError {
  return new RemoteWebhookError(server, { kind: 'answer', problem });
}

function readErrorCode(cause: Error): string | undefined {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
