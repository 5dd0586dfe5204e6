import type { Agent } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { timeout } from '@binnacle/status-errors';
import { type Answer, answerFrom, failureFrom, unanswered } from './answer.ts';
import type { WhenSilent } from './server-links.ts';

/** A request to the API. */
export interface ApiRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query: `/api/v1/namespaces?limit=500`. */
  readonly path: string;
  readonly body?: unknown;
  /** Media type of the body; default: JSON. */
  readonly contentType?: string;
  /** Timeout of the request, in ms; default: 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Media type of the answer, whose format must be JSON; default: JSON. */
  readonly accept?: string;
  /** User to impersonate, if the client's own user may do so (spec 2, "Impersonation"). */
  readonly asUser?: string;
}

/** A request that is ready to be sent. */
export interface OutgoingRequest extends ApiRequestOptions {
  readonly server: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Monotonic time of the timeout, in ms; for a watch it applies until the head of the answer. */
  readonly giveUpAt: number;
  readonly whenSilent: WhenSilent;
  /** Aborted when another server has answered, so that this answer is not needed. */
  readonly over: AbortSignal;
  /** Called when the request has waited for 500 ms at a silent server; for a watch also when its connection is closed. */
  onSilent(): void;
}

/**
 * Sends one request over HTTP/1.1 and resolves with the head of a successful answer. Rejects with the StatusError of any
 * other answer, with `timeout` after the deadline, and with `serviceUnavailable` if the server is unreachable; the error
 * has a member `unsent` if the server certainly did not receive the request. HTTP/1.1 does not distinguish a silent
 * server from a slow one.
 */
export function send(outgoing: OutgoingRequest, agent: Agent): Promise<Answer> {
  const { server, giveUpAt } = outgoing;
  const body = outgoing.body === undefined ? undefined : Buffer.from(JSON.stringify(outgoing.body));
  return new Promise<Answer>((resolve, reject) => {
    const request = httpsRequest(new URL(outgoing.path, server), {
      method: outgoing.method,
      agent,
      headers: {
        ...outgoing.headers,
        ...(body && {
          'content-type': outgoing.contentType ?? 'application/json',
          'content-length': body.length,
        }),
      },
      ...(outgoing.signal && { signal: outgoing.signal }),
    });
    const late = () => request.destroy(lateAnswer(outgoing));
    const timer = setTimeout(late, Math.max(0, giveUpAt - performance.now()));
    const cancel = () => request.destroy();
    if (outgoing.over.aborted) cancel();
    outgoing.over.addEventListener('abort', cancel, { once: true });
    request.on('close', () => clearTimeout(timer));
    request.on('error', cause => reject(failureFrom(cause, server)));
    request.on('response', response => {
      if (isWatch(outgoing)) clearTimeout(timer);
      resolve(answerFrom({ code: response.statusCode ?? 0, stream: response, server }));
    });
    request.end(body);
  });
}

/** Whether a request is a watch, by its query. */
export function isWatch({ path }: Pick<ApiRequestOptions, 'path'>): boolean {
  return /[?&]watch=(1|true)\b/.test(path);
}

/** Creates the error of a request without an answer before its timeout. */
export function lateAnswer({ server, timeoutMs }: OutgoingRequest): Error {
  return unanswered(timeout(`no answer from ${server.host} within ${timeoutMs} ms`));
}
