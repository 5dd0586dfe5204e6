import { createHmac, timingSafeEqual } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Decision } from '../authenticators/authenticator.ts';

/** A decision with the time, in milliseconds since 1970, until which it holds. */
export interface SharedDecision {
  readonly decision: Decision;
  readonly until: number;
}

/** Decisions that every pod sees. Neither method throws: what cannot be had is a miss. */
export interface SharedCache extends AsyncDisposable {
  get(digest: string): Promise<SharedDecision | undefined>;
  set(digest: string, decision: Decision, until: number): Promise<void>;
}

/** What the Redis cache needs to be told. */
export interface RedisCacheOptions {
  /** `redis://` or `rediss://`, with credentials where Redis asks for them. */
  readonly url: string;
  /** Seals entries: whoever can write to Redis but does not hold the key cannot make a user of himself. */
  readonly sealKey: Buffer;
  readonly clock: () => number;
  /** Called when Redis goes away and when it is back. */
  readonly onAvailability: (available: boolean, cause?: unknown) => void;
}

const keyPrefix = 'binnacle:token-review:';
const commandTimeoutMs = 75;
/** Commands in a row without an answer after which the connection is given up: a black hole looks connected. */
const maxTimeouts = 3;

/** Opens the shared cache on Redis. Connects in the background; until then, and while it is down, all is a miss. */
export function createRedisCache(options: RedisCacheOptions): SharedCache {
  const redis = new Redis(options.url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1000,
    retryStrategy: attempt => Math.min(100 * 2 ** Math.min(attempt, 5), 2000) * (0.5 + Math.random() / 2),
  });
  let timeouts = 0;
  let available = false;
  const turn = (now: boolean, cause?: unknown): void => {
    if (now !== available) options.onAvailability(now, cause);
    available = now;
  };
  redis.on('ready', () => turn(true));
  redis.on('error', cause => turn(false, cause));
  redis.on('close', () => turn(false));

  async function attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (redis.status !== 'ready') return undefined;
    try {
      const result = await command();
      timeouts = 0;
      return result;
    } catch (cause) {
      if (++timeouts >= maxTimeouts) {
        timeouts = 0;
        turn(false, cause);
        redis.disconnect(true);
      }
      return undefined;
    }
  }

  return {
    async get(digest): Promise<SharedDecision | undefined> {
      const sealed = await attempt(() => redis.get(keyPrefix + digest));
      const entry = sealed ? unseal(sealed, digest, options.sealKey) : undefined;
      return entry && entry.until > options.clock() ? entry : undefined;
    },
    async set(digest, decision, until): Promise<void> {
      const ttl = Math.ceil(until - options.clock());
      if (ttl <= 0) return;
      const sealed = seal({ decision, until }, digest, options.sealKey);
      await attempt(() => redis.set(keyPrefix + digest, sealed, 'PX', ttl));
    },
    async [Symbol.asyncDispose](): Promise<void> {
      redis.disconnect();
    },
  };
}

function seal(entry: SharedDecision, digest: string, key: Buffer): string {
  const text = JSON.stringify(entry);
  return `${signatureOf(text, digest, key).toString('base64url')}.${text}`;
}

/** The entry, if it was sealed with the key and for this digest; undefined for anything else. */
function unseal(sealed: string, digest: string, key: Buffer): SharedDecision | undefined {
  const dot = sealed.indexOf('.');
  const text = sealed.slice(dot + 1);
  const signature = Buffer.from(sealed.slice(0, Math.max(dot, 0)), 'base64url');
  const expected = signatureOf(text, digest, key);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  return JSON.parse(text) as SharedDecision; // Sealed by this service: it is what was stringified.
}

function signatureOf(text: string, digest: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(digest).update('\0').update(text).digest();
}
