import { Backoff, pause } from '@binnacle/event-loop';
import type { TraceContext } from '@binnacle/proto';
import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import {
  type CredentialSourceOptions,
  createCredentialSource,
} from '../credentials/create-credential-source.ts';
import { CredentialError } from '../credentials/credential-error.ts';
import type { CredentialSource } from '../credentials/credential-source.ts';
import { withCredentials } from '../credentials/with-credentials.ts';
import { ConnectionPool } from '../requests/connections.ts';
import { postJson } from './post-json.ts';
import { RemoteWebhookError } from './remote-webhook-error.ts';

/** Options of a remote webhook. */
interface RemoteWebhookOptions extends Pick<CredentialSourceOptions, 'clock'> {
  /** The configuration; its first server is called, an https URL with path and query. */
  readonly configuration: ClientConfiguration;
  readonly userAgent: string;
  /** Timeout of a call including its retries, in ms. */
  readonly timeoutMs: number;
  readonly retry: {
    /** Maximum number of attempts of one call; 1: no retry. */
    readonly attempts: number;
    /** Pause before the second attempt, in ms; each later pause is 1.5 times the previous one. */
    readonly backoffMs: number;
  };
  /** A random number in [0, 1); default: `Math.random`. */
  readonly random?: () => number;
}

/** A service outside the cluster that is called by POST requests with JSON. */
export interface RemoteWebhook extends AsyncDisposable {
  /**
   * Sends a body (a Buffer holds JSON) and returns the parsed answer, which the caller must validate. Connection
   * failures, 5xx and 429 are retried within the timeout. Throws a RemoteWebhookError, or the reason of the signal if it
   * aborts first.
   */
  post<T>(body: unknown, options: PostOptions): Promise<T>;
}

/** Options of one call. */
interface PostOptions {
  readonly signal?: AbortSignal;
  /** The trace that the webhook is to join. */
  readonly trace?: TraceContext | undefined;
}

/** Maximum number of connections to one webhook; further calls wait for one, within their own timeouts. */
const maxSockets = 100;
const unauthorizedCode = 401;
const backoffFactor = 1.5;

/**
 * Creates a remote webhook with keep-alive connections; it connects with the first call. Throws an Error if the server
 * is not an https URL, or the certificates are unreadable.
 */
export function createRemoteWebhook(options: RemoteWebhookOptions): RemoteWebhook {
  const { configuration, userAgent, timeoutMs, retry, random = Math.random } = options;
  const server = httpsUrl(configuration.servers[0] ?? '');
  const source = createCredentialSource(configuration, options);
  const pool = new ConnectionPool(configuration, { maxSockets });
  const tryOnce = oneTry({ server, source, pool, userAgent });
  const closing = new AbortController();

  async function tryUntil(
    body: Buffer,
    signal: AbortSignal,
    trace: TraceContext | undefined,
  ): Promise<unknown> {
    const backoff = new Backoff({ firstMs: retry.backoffMs, factor: backoffFactor, random });
    for (let attempt = 1; ; attempt++) {
      try {
        return await tryOnce(body, signal, trace);
      } catch (error) {
        if (!(error instanceof RemoteWebhookError && error.mayRetry) || attempt >= retry.attempts)
          throw error;
        if (error.retryAfterMs >= timeoutMs) throw error;
        await pause(Math.max(backoff.next(), error.retryAfterMs), signal);
        // The failure is more specific than a timeout.
        if (signal.aborted) throw error;
      }
    }
  }

  return {
    async post<T>(body: unknown, { signal, trace }: PostOptions): Promise<T> {
      signal?.throwIfAborted();
      const deadline = AbortSignal.timeout(timeoutMs);
      const ends = AbortSignal.any([deadline, closing.signal, ...(signal ? [signal] : [])]);
      try {
        const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
        return (await tryUntil(bytes, ends, trace)) as T; // The caller validates the type.
      } catch (error) {
        signal?.throwIfAborted();
        closing.signal.throwIfAborted();
        if (error instanceof RemoteWebhookError) throw error;
        if (error instanceof CredentialError)
          throw new RemoteWebhookError(server, { kind: 'credentials', problem: error.message });
        if (!deadline.aborted) throw error;
        const problem = `no answer within ${timeoutMs} ms`;
        throw new RemoteWebhookError(server, { kind: 'timeout', problem });
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      closing.abort(new RemoteWebhookError(server, { kind: 'connection', problem: 'the client is closed' }));
      source[Symbol.dispose]();
      pool[Symbol.dispose]();
    },
  };
}

/** Options of one attempt. */
interface TryOptions {
  readonly server: URL;
  readonly source: CredentialSource;
  readonly pool: ConnectionPool;
  readonly userAgent: string;
}

function oneTry({ server, source, pool, userAgent }: TryOptions) {
  const base = { 'user-agent': userAgent, accept: 'application/json' };
  return (body: Buffer, signal: AbortSignal, trace: TraceContext | undefined): Promise<unknown> =>
    withCredentials({
      source,
      signal,
      attempt: credentials =>
        pool.use(credentials, ({ agent }) => {
          const { authorization } = credentials;
          const headers = {
            ...base,
            ...(authorization && { authorization }),
            ...(trace && { traceparent: trace.traceparent }),
            ...(trace && trace.tracestate !== '' && { tracestate: trace.tracestate }),
          };
          return postJson({ server, agent, headers, body, signal });
        }),
      isRefusal: error => error instanceof RemoteWebhookError && error.status === unauthorizedCode,
    });
}

function httpsUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  // The message does not quote the text, which may hold a password.
  if (url?.protocol !== 'https:') throw new Error('the server of a webhook must be an https URL');
  return url;
}
