import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request as startRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { type JsonObject, readJson } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import { createHttp2Requests } from '../../journeys/http2-requests.ts';
import { encodeBody, followLines, readBody, warningsIn } from '../../journeys/setup/http-message.ts';
import { keptConnections } from '../../journeys/setup/kept-connections.ts';
import { type Answer, at, type Sent, type WatchEvent, type WatchStream } from './conformance-server.ts';
import type { RunningForm } from './running-form.ts';

/** Longest time between two bytes of an answer: a watch may be silent for a while, a server may not hang. */
const silenceMs = 90_000;

/** Sends requests to one gateway. */
interface HttpDriver extends Disposable {
  open(method: string, path: string, sent?: Sent): Promise<IncomingMessage>;
  upgrade(path: string, sent: Sent): Promise<Duplex | Answer>;
}

/** A driver for the gateway at that address, whose certificate the authority has signed. */
export function createHttpDriver(
  url: string,
  ca: string,
  protocol: NonNullable<RunningForm['protocol']> = 'http/1.1',
): HttpDriver {
  const http2 = createHttp2Requests(url, { ca });
  const agent = keptConnections({ ca });
  const start = (method: string, path: string, sent: Sent, options: RequestOptions = {}) =>
    startRequest(url + path, {
      method,
      agent,
      ca,
      timeout: silenceMs,
      headers: createHeaders(sent),
      ...options,
    });
  return {
    open(method, path, sent = {}) {
      if (protocol === 'h2')
        return http2.send({ method, path, headers: createHeaders(sent), body: encodeBody(sent.body) });
      return new Promise((resolve, reject) => {
        const request = start(method, path, sent);
        request.on('response', resolve).on('error', reject);
        request.on('timeout', () => request.destroy(new Error(`${method} ${path}: no answer`)));
        request.end(encodeBody(sent.body));
      });
    },
    upgrade: (path, sent) =>
      new Promise((resolve, reject) => {
        const request = start('GET', path, sent, { agent: false });
        request.on('upgrade', (_, socket) => resolve(socket)).on('error', reject);
        request.on('response', message => resolve(readAnswer(message)));
        request.end();
      }),
    [Symbol.dispose]() {
      agent.destroy();
      http2[Symbol.dispose]();
    },
  };
}

/** Reads an answer to its end. */
export async function readAnswer(message: IncomingMessage): Promise<Answer> {
  const bytes = await readBody(message);
  const text = bytes.toString('utf8');
  return {
    code: message.statusCode ?? 0,
    headers: message.headers,
    bytes,
    text,
    get body() {
      return parseObject(text);
    },
    warnings: warningsIn(message.rawHeaders),
    at: (...path) => at(parseObject(text), ...path),
  };
}

/** Follows a watch in JSON. */
export function followWatch(message: IncomingMessage): WatchStream {
  const events: WatchEvent[] = [];
  const ended = followLines(message, line => events.push(eventFrom(line)));
  return {
    code: message.statusCode ?? 0,
    headers: message.headers,
    events,
    ended,
    async heard(count) {
      await until(`${count} events; came: ${events.length}`, () => events.length >= count);
      return events;
    },
    [Symbol.dispose]: () => void message.destroy(),
  };
}

function createHeaders({ body, contentType, accept, headers, user = 'admin' }: Sent): Record<string, string> {
  const type = contentType === undefined && body !== undefined ? 'application/json' : contentType;
  const length = Buffer.byteLength(encodeBody(body) ?? '');
  return {
    'User-Agent': 'conformance/1.0',
    // Without it Node sends the body of a DELETE as if it were the next request.
    ...(length > 0 ? { 'Content-Length': String(length) } : {}),
    ...(type ? { 'Content-Type': type } : {}),
    ...(accept === undefined ? {} : { Accept: accept }),
    ...(user === null ? {} : { Authorization: `Bearer ${user}-token` }),
    ...headers,
  };
}

function parseObject(text: string): JsonObject {
  const value = readJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`no object: ${text}`);
  return value;
}

function eventFrom(line: string): WatchEvent {
  const event = parseObject(line);
  const { type, object } = event;
  if (typeof type !== 'string' || typeof object !== 'object' || object === null || Array.isArray(object))
    throw new Error(`no event: ${line}`);
  return { type, object, at: (...path) => at(object, ...path) };
}
