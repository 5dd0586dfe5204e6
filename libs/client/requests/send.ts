import type { Agent } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { timeout } from '@binnacle/status-errors';
import { type Answer, answerFrom, failureFrom, unanswered } from './answer.ts';
import type { WhenSilent } from './server-links.ts';

/** One request to the API. */
export interface ApiRequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its query: `/api/v1/namespaces?limit=500`. */
  readonly path: string;
  readonly body?: unknown;
  /** Media type of the body; JSON when not given. */
  readonly contentType?: string;
  /** Milliseconds until the request is given up; 30 seconds when not given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Media type of the answer; JSON when not given. Only types whose answers are JSON can be read. */
  readonly accept?: string;
  /** The user to act as, where the client's own user may impersonate that one (spec 2, "Impersonation"). */
  readonly asUser?: string;
}

/** A request with everything that the wire needs. */
export interface OutgoingRequest extends ApiRequestOptions {
  readonly server: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Milliseconds of the monotonic clock at which the timeout is over; that of a watch ends with the head of its answer. */
  readonly giveUpAt: number;
  readonly whenSilent: WhenSilent;
  /** Aborted when the answer is not needed any more: another server has given it. */
  readonly over: AbortSignal;
  /** Called when the request has waited for half a second and the server is silent; of a watch also when its connection is given up. */
  onSilent(): void;
}

/**
 * Sends one request over HTTP/1.1 and resolves with the head of a successful answer. Rejects with the StatusError of
 * another one, with `timeout` after the deadline, and with `serviceUnavailable` when the server cannot be reached; the
 * error then has a member `unsent` if the server surely saw nothing of the request. A silent server is not told from a slow one.
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
    const timer = setTimeout(late, giveUpAt - performance.now());
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

/** Whether the answer to a request goes on for as long as both want. */
export function isWatch({ path }: Pick<ApiRequestOptions, 'path'>): boolean {
  return /[?&]watch=(1|true)\b/.test(path);
}

/** The error of a request whose answer does not come in time. */
export function lateAnswer({ server, timeoutMs }: OutgoingRequest): Error {
  return unanswered(timeout(`no answer from ${server.host} within ${timeoutMs} ms`));
}
