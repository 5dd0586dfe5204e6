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

/** A request of a direct client. */
interface DirectRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with query, relative to the path of the server's URL. */
  readonly path: string;
  readonly body?: unknown;
  /** Media type of the body; default: JSON. */
  readonly contentType?: string;
  /** Media type of the answer; default: JSON. */
  readonly accept?: string;
  /** Ends this request; the signal of the client ends all requests. */
  readonly signal?: AbortSignal;
}

/** Options of a direct client. */
export interface DirectClientOptions {
  /** The configuration; only its first server is used. */
  readonly configuration: ClientConfiguration;
  /**
   * Credentials of the configuration, from `createCredentialSource`; several clients may share the source, which the
   * caller disposes of.
   */
  readonly credentialSource: CredentialSource;
  readonly userAgent: string;
  /** Headers of each request besides the credentials, for impersonation. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Another accepted name in the server's certificate: that of a load balancer in front of the server. */
  readonly otherServerName?: string;
  /** Timeout of a request, or of the head of a watch's answer, in ms; without the time of plugins. 0: none. */
  readonly timeoutMs: number;
  /** Time without data after which a request other than a watch fails, in ms; default: 90,000. */
  readonly idleTimeoutMs?: number;
  readonly signal: AbortSignal;
  /** A monotonic clock, in ms. */
  readonly now: () => number;
  readonly onExchange?: (note: ExchangeNote) => void;
  /** Receives the text of each `Warning` header with code 299. */
  readonly onWarning?: (text: string) => void;
}

/**
 * A client for programs at a terminal: one server, over HTTP or HTTPS, without retries, so that the user sees each
 * failure. Only credentials that the server refuses are renewed once, if their source has others, and the request is
 * sent once more. An answer other than success is thrown as its StatusError, a missing answer as a `ServerUnreachable`,
 * missing credentials as a CredentialError.
 *
 * Connections, credentials and the parsing of watches are shared with `ApiClient`; sending a request is not. The direct
 * client reports the head of every answer, its deadline covers the body, a server without data times out, and an error
 * keeps the system's code. `ApiClient` parses an answer as it arrives, tries the next server, and shares a connection
 * between watches.
 */
export interface DirectClient extends Disposable {
  readonly server: URL;
  /** Returns the parsed body; the path determines its type. */
  json<T>(request: DirectRequest): Promise<T>;
  /** Returns the body as text. */
  text(request: DirectRequest): Promise<string>;
  /** Yields the messages of a watch until it ends or the signal aborts. */
  watch(request: DirectRequest): AsyncIterable<WatchMessage>;
}

/** The error of a request whose answer is missing or incomplete. */
export class ServerUnreachable extends Error {
  /** `host:port` of the server. */
  readonly host: string;
  /** Code of the system's error, such as `ECONNREFUSED`; empty without one. */
  readonly code: string;

  constructor(host: string, cause: Error) {
    super(cause.message, { cause });
    this.name = 'ServerUnreachable';
    this.host = host;
    this.code = 'code' in cause ? String(cause.code) : '';
  }
}

/** Maximum size of an answer other than a watch, in bytes. */
const maxAnswerBytes = 256 * 1024 * 1024;
const connectionsAtATime = 8;
const keepAliveProbeMs = 15_000;
/** Longer than servers process any request other than a watch. */
const defaultIdleTimeoutMs = 90_000;

const unauthorizedCode = 401;

/** Creates a direct client; it connects with the first request. */
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
        return readJson(body) as T; // The path determines the type, which the caller specifies.
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
        // When certificates are replaced, its watches end as if the server had ended them.
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
    // The URL of a server may hold a password.
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
  sent.setTimeout(idleTimeoutMs, () => sent.destroy(new Error(`no data received for ${idleTimeoutMs} ms`)));
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
      const bytes: Buffer = part; // A stream without an encoding yields buffers.
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

/** Returns the texts of headers such as `Warning: 299 - "text"`, in which quotes are escaped as `\"`. */
function warningsIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 !== 0 || name.toLowerCase() !== 'warning') return [];
    const quoted = /^299 \S+ "((?:[^"\\]|\\.)*)"/.exec(rawHeaders[index + 1] ?? '')?.[1];
    return quoted === undefined ? [] : [quoted.replaceAll(/\\(.)/g, '$1')];
  });
}
