import { StatusError } from '@binnacle/status-errors';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import {
  type CredentialSourceOptions,
  createCredentialSource,
} from '../credentials/create-credential-source.ts';
import type { Credentials } from '../credentials/credential-source.ts';
import { withCredentials } from '../credentials/with-credentials.ts';
import { type Answer, failureFrom } from './answer.ts';
import { ConnectionPool, type Connections } from './connections.ts';
import { type OutgoingRequest, send } from './send.ts';
import { sendWatch } from './send-watch.ts';
import { readWatch, type WatchMessage } from './watch-stream.ts';

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

/** How a watch is asked for. */
type WatchRequestOptions = Pick<ApiRequestOptions, 'accept' | 'asUser'>;

/**
 * A client of the API over HTTPS with kept-alive connections. Watches share a connection of HTTP/2 where the server speaks
 * it, so that a client with many of them comes back with one handshake; elsewhere each has a connection of its own.
 *
 * Every request has a deadline. An answer that is not a success is thrown as the StatusError that it carries; a
 * server that cannot be reached, as `serviceUnavailable`. A request that surely was not sent is tried at the next
 * server; one that may have been is not, so that no write is done twice.
 */
export interface ApiClient extends AsyncDisposable {
  /** Sends a request and returns the parsed body. The caller knows the shape from the path it asked for. */
  request<T>(options: ApiRequestOptions): Promise<T>;
  /** The messages of a watch, until the server ends it or the signal aborts. Throws when the server is gone. */
  watch(path: string, signal: AbortSignal, options?: WatchRequestOptions): AsyncIterable<WatchMessage>;
}

/** How the client presents itself. */
interface ApiClientOptions extends CredentialSourceOptions {
  readonly configuration: ClientConfiguration;
  /** Sent as User-Agent; its first word names the field manager. */
  readonly userAgent: string;
  readonly maxSockets?: number;
  /** Milliseconds between two questions whether the server of a watch is still there; 15 seconds when not given. */
  readonly watchPingMs?: number;
}

/** A request, and who sends it. */
interface Authorized {
  readonly request: ApiRequestOptions;
  readonly credentials: Credentials;
}

type SendTo = (outgoing: OutgoingRequest) => Promise<Answer>;
/** What is made of a request: `sendBy` sends it in some way, on these connections. */
type FinishExchange<T> = (
  sendBy: (sendTo: SendTo) => Promise<Answer>,
  connections: Connections,
) => Promise<T>;

/** Most bytes of one answer that is not a watch. */
const maxAnswerBytes = 256 * 1024 * 1024;
const defaultTimeoutMs = 30_000;
const unauthorizedCode = 401;

/**
 * Opens a client. Connects with the first request. Credentials that a server refuses are renewed once, where their source has
 * others, and the request is sent once more; the time that a plugin takes is not counted against a request's.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { configuration, maxSockets = 32, watchPingMs } = options;
  const pool = new ConnectionPool(configuration, { maxSockets, watchPingMs });
  const source = createCredentialSource(configuration, options);
  const tryServers = serversOf(options);

  const exchange = <T>(request: ApiRequestOptions, finish: FinishExchange<T>): Promise<T> =>
    withCredentials({
      source,
      signal: request.signal,
      attempt: credentials =>
        pool.use(credentials, connections =>
          finish(sendTo => tryServers({ request, credentials }, sendTo), connections),
        ),
      isRefusal: error => error instanceof StatusError && error.code === unauthorizedCode,
    });

  return {
    async request<T>(request: ApiRequestOptions): Promise<T> {
      const body = await exchange(request, async (sendBy, { agent }) => {
        const answer = await sendBy(outgoing => send(outgoing, agent));
        return await answer.json(maxAnswerBytes);
      });
      return body as T; // The path determines the shape; the caller names it.
    },
    async *watch(path, signal, watchOptions): AsyncIterable<WatchMessage> {
      let begun: { readonly answer: Answer; readonly connections: Connections } | undefined;
      try {
        const request: ApiRequestOptions = { ...watchOptions, method: 'GET', path, signal };
        begun = await exchange(request, async (sendBy, connections) => ({
          answer: await sendBy(outgoing => openWatch(outgoing, connections)),
          connections,
        }));
        const { answer } = begun;
        yield* readWatch(answer.stream, signal);
        if (answer.brokeOff()) throw failureFrom(new Error('the watch broke off'), answer.server);
      } catch (error) {
        // On connections of a certificate that is no longer used a watch ends as if the server had ended it.
        if (signal.aborted || begun?.connections.isReplaced) return;
        const server = begun?.answer.server;
        throw server && error instanceof Error && 'code' in error ? failureFrom(error, server) : error;
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      source[Symbol.dispose]();
      pool[Symbol.dispose]();
    },
  };
}

async function openWatch(outgoing: OutgoingRequest, { links, watchAgent }: Connections): Promise<Answer> {
  return (await sendWatch(outgoing, links)) ?? (await send(outgoing, watchAgent));
}

/** Sends a request to the current server, and to the next one while it surely was not sent. */
function serversOf({ configuration, userAgent }: ApiClientOptions) {
  const base = { 'user-agent': userAgent, accept: 'application/json' };
  const servers = configuration.servers.map(server => new URL(server));
  let current = 0;
  return async ({ request, credentials }: Authorized, sendTo: SendTo): Promise<Answer> => {
    const { authorization } = credentials;
    const headers = headersOf(request, { ...base, ...(authorization && { authorization }) });
    let failure: unknown;
    for (let tried = 0; tried < servers.length; tried++) {
      const asked = current;
      const server = servers[asked % servers.length] as URL; // Within bounds by the modulus.
      const path = `${server.pathname.replace(/\/$/, '')}${request.path}`;
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
      try {
        return await sendTo({ ...request, server, path, headers, timeoutMs });
      } catch (error) {
        // Of requests that fail together one moves on, or the next server would be passed over too.
        if (current === asked) current++;
        if (!(error instanceof Error && 'unsent' in error)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
}

function headersOf(
  { accept, asUser }: ApiRequestOptions,
  base: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (accept === undefined && asUser === undefined) return base;
  return { ...base, ...(accept && { accept }), ...(asUser && { 'impersonate-user': asUser }) };
}
