import { Agent } from 'node:https';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import { type Answer, failureFrom } from './answer.ts';
import { type OutgoingRequest, send } from './send.ts';
import { sendWatch } from './send-watch.ts';
import { tlsOptions } from './tls-options.ts';
import { createWatchLinks } from './watch-links.ts';
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
interface ApiClientOptions {
  readonly configuration: ClientConfiguration;
  /** Sent as User-Agent; its first word names the field manager. */
  readonly userAgent: string;
  readonly maxSockets?: number;
  /** Milliseconds between two questions whether the server of a watch is still there; 15 seconds when not given. */
  readonly watchPingMs?: number;
}

/** Most bytes of one answer that is not a watch. */
const maxAnswerBytes = 256 * 1024 * 1024;
const defaultTimeoutMs = 30_000;

/** Opens a client. Connects with the first request. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { configuration, userAgent, maxSockets = 32, watchPingMs } = options;
  const tls = tlsOptions(configuration);
  const agent = new Agent({ keepAlive: true, maxSockets, ...tls });
  const watchAgent = new Agent({ keepAlive: false, ...tls });
  const links = createWatchLinks(tls, watchPingMs);
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: 'application/json' };
  if (configuration.token) headers['authorization'] = `Bearer ${configuration.token}`;
  const servers = configuration.servers.map(server => new URL(server));
  let current = 0;

  async function exchange(
    options: ApiRequestOptions,
    sendTo: (outgoing: OutgoingRequest) => Promise<Answer>,
  ): Promise<Answer> {
    let failure: unknown;
    for (let tried = 0; tried < servers.length; tried++) {
      const server = servers[current % servers.length] as URL; // Within bounds by the modulus.
      try {
        return await sendTo({
          ...options,
          server,
          headers: headersOf(options, headers),
          timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
        });
      } catch (error) {
        current++;
        if (!(error instanceof Error && 'unsent' in error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  const openWatch = async (outgoing: OutgoingRequest): Promise<Answer> =>
    (await sendWatch(outgoing, links)) ?? (await send(outgoing, watchAgent));

  return {
    async request<T>(options: ApiRequestOptions): Promise<T> {
      const answer = await exchange(options, outgoing => send(outgoing, agent));
      return (await answer.json(maxAnswerBytes)) as T; // The path determines the shape; the caller names it.
    },
    async *watch(path, signal, watchOptions): AsyncIterable<WatchMessage> {
      let server: URL | undefined;
      try {
        const answer = await exchange({ ...watchOptions, method: 'GET', path, signal }, openWatch);
        server = answer.server;
        yield* readWatch(answer.stream, signal);
        if (answer.brokeOff()) throw failureFrom(new Error('the watch broke off'), server);
      } catch (error) {
        if (signal.aborted) return;
        throw server && error instanceof Error && 'code' in error ? failureFrom(error, server) : error;
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      agent.destroy();
      watchAgent.destroy();
      links[Symbol.dispose]();
    },
  };
}

function headersOf(
  { accept, asUser }: ApiRequestOptions,
  base: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (accept === undefined && asUser === undefined) return base;
  return { ...base, ...(accept && { accept }), ...(asUser && { 'impersonate-user': asUser }) };
}
