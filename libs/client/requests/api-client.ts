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
import { type ApiRequestOptions, isWatch, type OutgoingRequest, send } from './send.ts';
import { sendOverLink } from './send-over-link.ts';
import { type SendTo, Servers } from './servers.ts';
import { readWatchBatches, type WatchMessage } from './watch-stream.ts';

/** How a watch is asked for. */
type WatchRequestOptions = Pick<ApiRequestOptions, 'accept' | 'asUser'>;

/**
 * A client of the API over HTTPS with kept-alive connections. Requests and watches share a connection of HTTP/2 where the server
 * speaks it, so that a client with many of them comes back with one handshake; elsewhere each watch has a connection of its own.
 *
 * Every request has a deadline. An answer that is not a success is thrown as the StatusError that it carries; a
 * server that cannot be reached, as `serviceUnavailable`. A request that surely was not sent is tried at the next
 * server, and so is one at a server that falls silent, where that does no harm (`Servers`); no write is done twice.
 */
export interface ApiClient extends AsyncDisposable {
  /** Sends a request and returns the parsed body. The caller knows the shape from the path it asked for. */
  request<T>(options: ApiRequestOptions): Promise<T>;
  /** The messages of a watch, until the server ends it or the signal aborts. Throws when the server is gone. */
  watch(path: string, signal: AbortSignal, options?: WatchRequestOptions): AsyncIterable<WatchMessage>;
  /** The same, those that come together as one batch: cheaper where they are many. */
  watchBatches(
    path: string,
    signal: AbortSignal,
    options?: WatchRequestOptions,
  ): AsyncIterable<readonly WatchMessage[]>;
}

/** How the client presents itself. */
interface ApiClientOptions extends CredentialSourceOptions {
  readonly configuration: ClientConfiguration;
  /** Sent as User-Agent; its first word names the field manager. */
  readonly userAgent: string;
  /** Most connections for requests over HTTP/1.1. */
  readonly maxSockets?: number;
  /** Milliseconds in which nothing comes after which a server with watches is asked whether it is there; a second when not given. */
  readonly watchPingMs?: number;
}

/** Reads an answer, which came on these connections. */
type FinishExchange<T> = (answer: Answer, connections: Connections) => Promise<T>;

/** Most bytes of one answer that is not a watch. */
const maxAnswerBytes = 256 * 1024 * 1024;
const unauthorizedCode = 401;

/**
 * Opens a client. Connects with the first request. Credentials that a server refuses are renewed once, where their source has
 * others, and the request is sent once more; the time that a plugin takes is not counted against a request's.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { configuration, userAgent, maxSockets = 32, watchPingMs } = options;
  const pool = new ConnectionPool(configuration, { maxSockets, watchPingMs });
  const source = createCredentialSource(configuration, options);
  const servers = new Servers(configuration.servers);

  const exchange = <T>(request: ApiRequestOptions, finish: FinishExchange<T>): Promise<T> =>
    withCredentials({
      source,
      signal: request.signal,
      attempt: credentials =>
        pool.use(credentials, async connections => {
          const headers = createHeaders(request, userAgent, credentials);
          const sendTo: SendTo = outgoing => sendOn(connections, outgoing);
          return await finish(await servers.send({ request, headers, sendTo }), connections);
        }),
      isRefusal: error => error instanceof StatusError && error.code === unauthorizedCode,
    });

  return {
    async request<T>(request: ApiRequestOptions): Promise<T> {
      const body = await exchange(request, answer => answer.json(maxAnswerBytes));
      return body as T; // The path determines the shape; the caller names it.
    },
    async *watch(path, signal, watchOptions): AsyncIterable<WatchMessage> {
      for await (const messages of this.watchBatches(path, signal, watchOptions)) yield* messages;
    },
    async *watchBatches(path, signal, watchOptions): AsyncIterable<readonly WatchMessage[]> {
      let begun: { readonly answer: Answer; readonly connections: Connections } | undefined;
      try {
        const request: ApiRequestOptions = { ...watchOptions, method: 'GET', path, signal };
        begun = await exchange(request, async (answer, connections) => ({ answer, connections }));
        const { answer } = begun;
        yield* readWatchBatches(answer.stream, signal);
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

/** Sends a request over HTTP/2, or over HTTP/1.1 where the server does not speak it. */
async function sendOn(connections: Connections, outgoing: OutgoingRequest): Promise<Answer> {
  const { links, agent, watchAgent } = connections;
  return (
    (await sendOverLink(outgoing, links)) ?? (await send(outgoing, isWatch(outgoing) ? watchAgent : agent))
  );
}

function createHeaders(
  { accept = 'application/json', asUser }: ApiRequestOptions,
  userAgent: string,
  { authorization }: Credentials,
): Readonly<Record<string, string>> {
  return {
    'user-agent': userAgent,
    accept,
    ...(authorization && { authorization }),
    ...(asUser && { 'impersonate-user': asUser }),
  };
}
