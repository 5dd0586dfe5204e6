import { BackendRefusal, latestTlsOptions, speaksTls } from '@binnacle/backend-access';
import { Backoff } from '@binnacle/event-loop';
import { Redis } from 'ioredis';
import { type RedisAccess, redisRefusalFrom } from './redis-access.ts';

/** Options of the connection to Redis. */
interface RedisConnectionOptions {
  readonly access: RedisAccess;
  /** A key that each new connection reads, to check the permissions of the user before they are needed. */
  readonly probeKey: string;
  /**
   * Called when Redis becomes unavailable or refuses this service, then with the refusal as the cause, and when it is available
   * again.
   */
  readonly onAvailability: (available: boolean, cause?: unknown) => void;
}

const commandTimeoutMs = 75;
const connectTimeoutMs = 1000;
/** Consecutive commands without an answer after which the connection is closed: a silent peer looks connected. */
const maxTimeouts = 3;
/** Milliseconds between attempts while Redis refuses this service. */
const refusedRetryMs = 2000;

/**
 * A connection to Redis for the lifetime of the process. It reconnects while Redis is unavailable or refuses this service, with the
 * latest TLS files and the password read anew for each attempt, and reports refusals.
 */
export class RedisConnection implements Disposable {
  readonly #options: RedisConnectionOptions;
  readonly #redis: Redis;
  readonly #attempted = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  #state: 'up' | 'away' | BackendRefusal = 'away';
  #timeouts = 0;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#redis = new Redis(clientOptions(options.access, () => this.#retryMs()));
    this.#redis.on('ready', () => void this.#probe());
    this.#redis.on('error', cause => void this.#lost(cause));
    this.#redis.on('close', () => void this.#lost());
    this.#redis.on('reconnecting', () => void this.#renewPassword());
    void this.#connect();
  }

  /** Runs a command; returns undefined when Redis gives no result. */
  async attempt<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (this.#redis.status !== 'ready') return undefined;
    try {
      const result = await command(this.#redis);
      this.#timeouts = 0;
      return result;
    } catch (cause) {
      const refusal = redisRefusalFrom(cause);
      if (refusal === undefined && ++this.#timeouts < maxTimeouts) return undefined;
      this.#timeouts = 0;
      this.#turn(refusal ?? 'away', cause);
      this.#redis.disconnect(true);
      return undefined;
    }
  }

  /** Whether Redis accepts commands. */
  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** Returns the current refusal; waits for the end of the first attempt to connect. */
  async refusal(): Promise<BackendRefusal | undefined> {
    await this.#attempted.promise;
    return this.#state instanceof BackendRefusal ? this.#state : undefined;
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    this.#attempted.resolve();
    this.#redis.disconnect();
  }

  async #connect(): Promise<void> {
    await this.#renewPassword();
    // Errors are reported as events as well.
    if (!this.#closing.signal.aborted) await this.#redis.connect().catch(() => {});
  }

  async #renewPassword(): Promise<void> {
    const password = await this.#options.access.password().catch(() => undefined);
    if (password !== undefined) this.#redis.options.password = password;
  }

  /** Reads one key, to find missing permissions before a token has to be decided. */
  async #probe(): Promise<void> {
    try {
      await this.#redis.get(this.#options.probeKey);
      this.#turn('up');
    } catch (cause) {
      const refusal = redisRefusalFrom(cause);
      if (refusal !== undefined) this.#turn(refusal, refusal);
      this.#redis.disconnect(true);
    }
  }

  async #lost(cause?: unknown): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const refusal = redisRefusalFrom(cause) ?? (await this.#plaintextRefusal(cause));
    if (this.#redis.status === 'ready') return;
    // A connection that closes because of a refusal, or before it is established, does not end the refusal.
    const stands = this.#state instanceof BackendRefusal && cause === undefined;
    if (!stands) this.#turn(refusal ?? 'away', cause);
  }

  /** Probes the server after a failure in plaintext: a Redis that requires TLS closes plaintext connections without an error. */
  async #plaintextRefusal(cause: unknown): Promise<BackendRefusal | undefined> {
    const { host, port, tls } = this.#options.access;
    const isGone = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    if (tls !== undefined || isGone) return undefined;
    return (await speaksTls({ host, port })) ? new BackendRefusal('redis', 'tls') : undefined;
  }

  #retryMs(): number {
    return this.#state instanceof BackendRefusal ? refusedRetryMs : 0;
  }

  #turn(state: 'up' | 'away' | BackendRefusal, cause?: unknown): void {
    const [before, now] = [this.#state, state];
    this.#state = state;
    this.#attempted.resolve();
    const isSame = describeState(before) === describeState(now);
    if (!isSame) this.#options.onAvailability(now === 'up', now instanceof BackendRefusal ? now : cause);
  }
}

const describeState = (state: 'up' | 'away' | BackendRefusal): string =>
  state instanceof BackendRefusal ? state.message : state;

function clientOptions(access: RedisAccess, atLeastMs: () => number) {
  const backoff = new Backoff({ firstMs: 200, longestMs: 2_000 });
  const { host, port, database, username, tls } = access;
  return {
    host,
    port,
    db: database,
    ...(username === undefined ? {} : { username }),
    ...(tls === undefined ? {} : { tls: latestTlsOptions(tls) }),
    lazyConnect: true,
    // The user needs no permissions beyond those on its keys.
    enableReadyCheck: false,
    disableClientInfo: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    autoResendUnfulfilledCommands: false,
    connectTimeout: connectTimeoutMs,
    retryStrategy(attempt: number) {
      if (attempt === 1) backoff.reset();
      return Math.max(atLeastMs(), backoff.next());
    },
  };
}
