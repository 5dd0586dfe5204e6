import type { IncomingMessage } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { StatusError, serviceUnavailable, statusErrorFromStatus, timeout } from '@binnacle/status-errors';
import type { ApiRequestOptions } from './api-client.ts';

/** A request with everything that the wire needs. */
export interface OutgoingRequest extends ApiRequestOptions {
  readonly server: URL;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** A successful answer whose body is still to be read. */
export interface Answer {
  readonly stream: IncomingMessage;
  /** The whole body, parsed. Rejects beyond the bound. */
  json(maxBytes: number): Promise<unknown>;
}

/** Most bytes of an error's body that are read. */
const maxErrorBytes = 1024 * 1024;
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Sends one request and resolves with the head of a successful answer. Rejects with the StatusError of another one,
 * with `timeout` after the deadline, and with `serviceUnavailable` when the server cannot be reached; the error then
 * has a member `unsent` if the server surely saw nothing of the request.
 */
export function send(outgoing: OutgoingRequest): Promise<Answer> {
  const body = outgoing.body === undefined ? undefined : Buffer.from(JSON.stringify(outgoing.body));
  return new Promise<Answer>((resolve, reject) => {
    const request = httpsRequest(new URL(outgoing.path, outgoing.server), {
      method: outgoing.method,
      agent: outgoing.agent,
      headers: {
        ...outgoing.headers,
        ...(body && {
          'content-type': outgoing.contentType ?? 'application/json',
          'content-length': body.length,
        }),
      },
      ...(outgoing.signal && { signal: outgoing.signal }),
    });
    const isWatch = /[?&]watch=(1|true)\b/.test(outgoing.path);
    const timer = setTimeout(() => {
      const error = timeout(`no answer from ${outgoing.server.host} within ${outgoing.timeoutMs} ms`);
      request.destroy(error);
    }, outgoing.timeoutMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', cause => reject(failureFrom(cause, outgoing.server)));
    request.on('response', response => {
      if (isWatch) clearTimeout(timer);
      const code = response.statusCode ?? 0;
      const answer: Answer = {
        stream: response,
        json: maxBytes => readJson(response, maxBytes, outgoing.server),
      };
      if (code >= 200 && code < 300) return resolve(answer);
      readJson(response, maxErrorBytes, outgoing.server).then(
        status => reject(statusErrorFromStatus(status, code)),
        () => reject(statusErrorFromStatus(undefined, code)),
      );
    });
    request.end(body);
  });
}

function failureFrom(cause: Error, server: URL): Error {
  if (cause instanceof StatusError || cause.name === 'AbortError') return cause;
  const error = serviceUnavailable(`cannot reach ${server.host}: ${cause.message}`);
  const code = 'code' in cause ? String(cause.code) : '';
  return notSent.has(code) ? Object.assign(error, { unsent: true }) : error;
}

function readJson(stream: IncomingMessage, maxBytes: number, server: URL): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    stream.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes)
        stream.destroy(new Error(`an answer of ${server.host} is larger than ${maxBytes} bytes`));
      else parts.push(part);
    });
    stream.on('error', cause => reject(failureFrom(cause, server)));
    stream.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString()));
      } catch (cause) {
        reject(serviceUnavailable(`an answer of ${server.host} is not JSON: ${String(cause)}`));
      }
    });
  });
}
