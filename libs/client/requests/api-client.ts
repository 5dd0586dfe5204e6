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

/** Options of a watch request. */
type WatchRequestOptions = Pick<ApiRequestOptions, 'accept' | 'asUser'>;

/**
 * A client of the API over HTTPS with keep-alive connections. If the server supports HTTP/2, requests and watches share
 * a connection, so that a client with many watches reconnects with one handshake; otherwise each watch has its own
 * connection.
 *
 * Every request has a deadline. An answer other than success is thrown as its StatusError; an unreachable server, as
 * `serviceUnavailable`. A request that was certainly not sent is retried on the next server; a request to a server that
 * falls silent is also sent to the next one, if it is safe to repeat (`Servers`). No write is done twice.
 */
export interface ApiClient extends AsyncDisposable {
  /** Sends a request and returns the parsed body; the path determines its type. */
  request<T>(options: ApiRequestOptions): Promise<T>;
  /** Yields the messages of a watch, until the server ends it or the signal aborts. Throws if the connection is lost. */
  watch(path: string, signal: AbortSignal, options?: WatchRequestOptions): AsyncIterable<WatchMessage>;
  /** Yields the messages of a watch in batches of those that arrive together, which costs less for many messages. */
  watchBatches(
    path: string,
    signal: AbortSignal,
    options?: WatchRequestOptions,
  ): AsyncIterable<readonly WatchMessage[]>;
}

/** Options of an API client. */
interface ApiClientOptions extends CredentialSourceOptions {
  readonly configuration: ClientConfiguration;
  /** Base URLs of equivalent servers; default: those of the configuration. */
  readonly servers?: readonly string[];
  /** Value of the header User-Agent; its first word is the field manager. */
  readonly userAgent: string;
  /** Maximum number of connections for requests over HTTP/1.1; default: 32. */
  readonly maxSockets?: number;
  /** Time without data after which the client pings a server with watches, in ms; default: 1,000. */
  readonly watchPingMs?: number;
}

/** Reads an answer from these connections. */
type FinishExchange<T> = (answer: Answer, connections: Connections) => Promise<T>;

/** Maximum size of an answer other than a watch, in bytes. */
const maxAnswerBytes = 256 * 1024 * 1024;
const unauthorizedCode = 401;

/**
 * Creates a client; it connects with the first request. Credentials that a server refuses are renewed once, if their
 * source has others, and the request is sent once more. The timeout of a request does not include the time of a plugin.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { configuration, userAgent, maxSockets = 32, watchPingMs } = options;
  const { servers: addresses = configuration.servers } = options;
  const isOnlyServer = addresses.length === 1;
  const pool = new ConnectionPool(configuration, { maxSockets, watchPingMs, isOnlyServer });
  const source = createCredentialSource(configuration, options);
  const servers = new Servers(addresses);

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
      return body as T; // The path determines the type, which the caller specifies.
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
        if (answer.brokeOff())
          throw failureFrom(new Error('the connection of the watch broke'), answer.server);
      } catch (error) {
        // When certificates are replaced, its watches end as if the server had ended them.
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

/** Sends a request over HTTP/2, or over HTTP/1.1 if the server does not support HTTP/2. */
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
