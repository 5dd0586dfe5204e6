import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { BackendRefusal } from '@binnacle/backend-access';
import type { Decision } from '../authenticators/authenticator.ts';
import type { RedisAccess } from './redis-access.ts';
import { RedisConnection } from './redis-connection.ts';

/** A decision with its expiry in milliseconds since 1970. */
export interface TimedDecision {
  readonly decision: Decision;
  readonly until: number;
}

/** The cache of decisions that pods share. `get` and `set` never throw: an unavailable decision is a miss. */
export interface SharedCache extends AsyncDisposable {
  get(digest: string): Promise<TimedDecision | undefined>;
  set(digest: string, decision: Decision, until: number): Promise<void>;
  /** Whether decisions are shared at the moment. */
  readonly isUp: boolean;
  /** Returns the current refusal, undefined when there is none or Redis is unavailable; waits for the first attempt to connect. */
  refusal(): Promise<BackendRefusal | undefined>;
}

/** Options of the Redis cache. */
interface RedisCacheOptions {
  readonly access: RedisAccess;
  /** Gives the key that signs entries. */
  readonly signingKey: () => KeyObject;
  readonly clock: () => number;
  /** Called when Redis becomes unavailable, refuses this service, and is available again. */
  readonly onAvailability: (available: boolean, cause?: unknown) => void;
}

/** The prefix of every key: the user of this service needs permissions on these keys alone. */
export const keyPrefix = 'binnacle:token-review:';

/** Opens the shared cache on Redis. It connects in the background; until then, and while Redis is down, every look-up is a miss. */
export function createRedisCache(options: RedisCacheOptions): SharedCache {
  const { access, signingKey, clock, onAvailability } = options;
  const connection = new RedisConnection({ access, probeKey: `${keyPrefix}probe`, onAvailability });
  return {
    async get(digest): Promise<TimedDecision | undefined> {
      const signed = await connection.attempt(redis => redis.get(keyPrefix + digest));
      const entry = signed ? verified(signed, digest, signingKey()) : undefined;
      return entry && entry.until > clock() ? entry : undefined;
    },
    async set(digest, decision, until): Promise<void> {
      const ttl = Math.ceil(until - clock());
      if (ttl <= 0) return;
      const signed = sign({ decision, until }, digest, signingKey());
      await connection.attempt(redis => redis.set(keyPrefix + digest, signed, 'PX', ttl));
    },
    get isUp() {
      return connection.isUp;
    },
    refusal: () => connection.refusal(),
    async [Symbol.asyncDispose](): Promise<void> {
      connection[Symbol.dispose]();
    },
  };
}

function sign(entry: TimedDecision, digest: string, key: KeyObject): string {
  const text = JSON.stringify(entry);
  return `${signText(text, digest, key).toString('base64url')}.${text}`;
}

/** Returns the entry if it was signed with the key and for this digest; undefined otherwise. */
function verified(signed: string, digest: string, key: KeyObject): TimedDecision | undefined {
  const dot = signed.indexOf('.');
  const text = signed.slice(dot + 1);
  const signature = Buffer.from(signed.slice(0, Math.max(dot, 0)), 'base64url');
  const expected = signText(text, digest, key);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  return JSON.parse(text) as TimedDecision; // Signed by this service, which wrote it.
}

function signText(text: string, digest: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(digest).update('\0').update(text).digest();
}
