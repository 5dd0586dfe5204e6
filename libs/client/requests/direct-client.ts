import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { readJson } from '@binnacle/api-objects';
import { StatusError, statusErrorFromStatus } from '@binnacle/status-errors';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import type { CredentialSource, Credentials } from '../credentials/credential-source.ts';
import { withCredentials } from '../credentials/with-credentials.ts';
import { ConnectionPool, type Connections } from './connections.ts';
import { type ExchangeNote, withoutCredentials } from './exchange-note.ts';
import { readWatch, type WatchMessage } from './watch-stream.ts';

/** One request of a direct client. */
interface DirectRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with its query, below the path of the server's address. */
  readonly path: string;
  readonly body?: unknown;
  /** Media type of the body; JSON when not given. */
  readonly contentType?: string;
  /** Media type of the answer; JSON when not given. */
  readonly accept?: string;
  /** Ends this request alone, as the signal of the client ends all. */
  readonly signal?: AbortSignal;
}

/** How a direct client presents itself, and what it reports. */
export interface DirectClientOptions {
  /** Its first server is the one that is asked. */
  readonly configuration: ClientConfiguration;
  /** Of the configuration, from `createCredentialSource`; clients of one service share it, and their owner closes it. */
  readonly credentialSource: CredentialSource;
  readonly userAgent: string;
  /** Sent with each request besides the credentials: impersonation. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Another name that the certificate may be for: that of a load balancer before the server. */
  readonly otherServerName?: string;
  /** Milliseconds until a request is given up; a watch, until its answer begins. Without the time of plugins. 0: never. */
  readonly timeoutMs: number;
  /** Milliseconds without a byte until a server counts as gone, except in a watch; 90 seconds when not given. */
  readonly idleTimeoutMs?: number;
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
  readonly onExchange?: (note: ExchangeNote) => void;
  /** The text of each `Warning` header of code 299. */
  readonly onWarning?: (text: string) => void;
}

/**
 * A client for programs at a terminal: one server, over HTTP or HTTPS, without retries, so that the user sees what happens;
 * only credentials that the server refuses are renewed once, where their source has others, and the request is sent once more. An
 * answer that is not a success is thrown as its StatusError; when no answer comes, a `ServerUnreachable` is thrown; when no
 * credentials do, a CredentialError.
 *
 * Connections, credentials and the reading of watches are those of `ApiClient`. How one request is sent is not: here the head of
 * every answer is reported, the deadline covers the body, silence has a limit, and an error keeps the code of the system; there
 * an answer is parsed as it comes, the next server is tried, and watches share a connection.
 */
export interface DirectClient extends Disposable {
  readonly server: URL;
  /** The parsed body. The caller knows the shape from the path it asked for. */
  json<T>(request: DirectRequest): Promise<T>;
  /** The body as text. */
  text(request: DirectRequest): Promise<string>;
  /** The messages of a watch until it ends or the signal aborts. */
  watch(request: DirectRequest): AsyncIterable<WatchMessage>;
}

/** No answer came, or it broke off. */
export class ServerUnreachable extends Error {
  /** `host:port` of the server. */
  readonly host: string;
  /** The code of the system's error: `ECONNREFUSED`; empty without one. */
  readonly code: string;

  constructor(host: string, cause: Error) {
    super(cause.message, { cause });
    this.name = 'ServerUnreachable';
    this.host = host;
    this.code = 'code' in cause ? String(cause.code) : '';
  }
}

/** Most bytes of one answer that is not a watch. */
const maxAnswerBytes = 256 * 1024 * 1024;
const connectionsAtATime = 8;
const keepAliveProbeMs = 15_000;
/** Longer than servers take for any request that is not a watch. */
const defaultIdleTimeoutMs = 90_000;

const unauthorizedCode = 401;

/** Opens a direct client. Connects with the first request. */
export function createDirectClient(options: DirectClientOptions): DirectClient {
  const { configuration, signal, otherServerName } = options;
  const server = new URL(configuration.servers[0] ?? '');
  const pool = new ConnectionPool(configuration, { maxSockets: connectionsAtATime, otherServerName });
  const use = <T>(run: (wire: Wire) => Promise<T>): Promise<T> =>
    withCredentials({
      source: options.credentialSource,
      signal,
      attempt: credentials =>
        pool.use(credentials, connections => run({ options, server, credentials, connections })),
      isRefusal: error => error instanceof StatusError && error.code === unauthorizedCode,
    });
  const read = (request: DirectRequest): Promise<Buffer> =>
    use(async wire => {
      const { message, deadline } = await exchange(request, wire);
      return await readBody(message, server).finally(() => clearTimeout(deadline));
    });
  return {
    server,
    async json<T>(request: DirectRequest): Promise<T> {
      const body = (await read(request)).toString();
      try {
        return readJson(body) as T; // The path determines the shape; the caller names it.
      } catch (cause) {
        throw new ServerUnreachable(server.host, new Error('the answer is not JSON', { cause }));
      }
    },
    text: async request => (await read(request)).toString(),
    async *watch(request) {
      const { message, connections } = await use(wire => beginWatch(request, wire));
      try {
        yield* readWatch(message, requestSignal(request, options));
      } catch (cause) {
        // On connections of a certificate that is no longer used a watch ends as if the server had ended it.
        if (connections.isReplaced) return;
        throw cause instanceof Error && 'code' in cause && message.errored
          ? new ServerUnreachable(server.host, cause)
          : cause;
      } finally {
        message.destroy();
      }
    },
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  };
}

/** The connection and headers of a request. */
interface Wire {
  readonly options: DirectClientOptions;
  readonly server: URL;
  readonly credentials: Credentials;
  readonly connections: Connections;
}

interface Head {
  readonly message: IncomingMessage;
  readonly deadline: NodeJS.Timeout | undefined;
}

async function beginWatch(request: DirectRequest, wire: Wire) {
  const { connections } = wire;
  const { message, deadline } = await exchange(request, wire, connections.watchAgent);
  clearTimeout(deadline);
  message.socket.setTimeout(0);
  message.socket.setKeepAlive(true, keepAliveProbeMs);
  return { message, connections };
}

async function exchange(
  request: DirectRequest,
  wire: Wire,
  agent: Agent = wire.connections.agent,
): Promise<Head> {
  const { options, server } = wire;
  const signal = requestSignal(request, options);
  const begin = options.now();
  const requestHeaders = createHeaders(request, options);
  const head = await requestHead(request, { ...wire, requestHeaders, agent, signal });
  const { message, deadline } = head;
  const code = message.statusCode ?? 0;
  options.onExchange?.({
    method: request.method,
    // The address of a server may hold a password.
    url: withoutUser(createUrl(server, request.path)),
    requestHeaders: withoutCredentials(requestHeaders),
    code,
    answerHeaders: withoutCredentials(message.headers),
    durationMs: options.now() - begin,
  });
  for (const text of warningsIn(message.rawHeaders)) options.onWarning?.(text);
  if (code >= 200 && code < 300) return head;
  const body = await readBody(message, server).finally(() => clearTimeout(deadline));
  throw statusErrorFromStatus(parsedOrNothing(body), code);
}

function requestSignal({ signal }: DirectRequest, options: DirectClientOptions): AbortSignal {
  return signal === undefined ? options.signal : AbortSignal.any([signal, options.signal]);
}

function createHeaders(
  { accept = 'application/json', body, contentType = 'application/json' }: DirectRequest,
  { userAgent, headers }: DirectClientOptions,
): Readonly<Record<string, string | readonly string[]>> {
  return {
    'user-agent': userAgent,
    accept,
    ...(body !== undefined && { 'content-type': contentType }),
    ...headers,
  };
}

interface Sending extends Wire {
  readonly requestHeaders: Readonly<Record<string, string | readonly string[]>>;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

function requestHead(
  request: DirectRequest,
  { options, server, agent, signal, credentials: { authorization }, requestHeaders }: Sending,
): Promise<Head> {
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  const start = server.protocol === 'http:' ? httpRequest : httpsRequest;
  const sent = start(createUrl(server, request.path), {
    method: request.method,
    agent,
    signal,
    headers: {
      ...requestHeaders,
      ...(authorization && { authorization }),
      ...(body && { 'content-length': body.length }),
    },
  });
  const late = () => sent.destroy(new Error(`no answer within ${options.timeoutMs} ms`));
  const deadline = options.timeoutMs > 0 ? setTimeout(late, options.timeoutMs) : undefined;
  const { idleTimeoutMs = defaultIdleTimeoutMs } = options;
  sent.setTimeout(idleTimeoutMs, () => sent.destroy(new Error(`nothing came for ${idleTimeoutMs} ms`)));
  sent.on('error', cause => {
    clearTimeout(deadline);
    reject(signal.aborted ? cause : new ServerUnreachable(server.host, cause));
  });
  sent.on('response', message => resolve({ message, deadline }));
  sent.end(body);
  return promise;
}

function withoutUser({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search}`;
}

function createUrl(server: URL, path: string): URL {
  return new URL(server.pathname.replace(/\/+$/, '') + path, server);
}

async function readBody(stream: Readable, server: URL): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      const bytes: Buffer = part; // A stream without an encoding gives buffers.
      size += bytes.length;
      if (size > maxAnswerBytes) throw new Error(`the answer is larger than ${maxAnswerBytes} bytes`);
      parts.push(bytes);
    }
  } catch (cause) {
    throw cause instanceof Error && cause.name !== 'AbortError'
      ? new ServerUnreachable(server.host, cause)
      : cause;
  }
  return Buffer.concat(parts);
}

function parsedOrNothing(body: Buffer): unknown {
  try {
    return readJson(body.toString());
  } catch {
    return undefined;
  }
}

/** Texts of headers like `Warning: 299 - "text"`; quotes within the text are written `\"`. */
function warningsIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 !== 0 || name.toLowerCase() !== 'warning') return [];
    const quoted = /^299 \S+ "((?:[^"\\]|\\.)*)"/.exec(rawHeaders[index + 1] ?? '')?.[1];
    return quoted === undefined ? [] : [quoted.replaceAll(/\\(.)/g, '$1')];
  });
}
