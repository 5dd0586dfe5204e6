import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { BackendRefusal } from '@binnacle/backend-access';
import type { Decision } from '../authenticators/authenticator.ts';
import type { RedisAccess } from './redis-access.ts';
import { RedisConnection } from './redis-connection.ts';

/** A decision with the time, in milliseconds since 1970, until which it holds. */
interface SharedDecision {
  readonly decision: Decision;
  readonly until: number;
}

/** Decisions that every pod sees. `get` and `set` never throw: what cannot be had is a miss. */
export interface SharedCache extends AsyncDisposable {
  get(digest: string): Promise<SharedDecision | undefined>;
  set(digest: string, decision: Decision, until: number): Promise<void>;
  /** Whether decisions are shared at the moment. */
  readonly isUp: boolean;
  /** The refusal that stands, undefined when there is none or Redis is away; waits for the first attempt to connect. */
  refusal(): Promise<BackendRefusal | undefined>;
}

/** Options of the Redis cache. */
interface RedisCacheOptions {
  readonly access: RedisAccess;
  /** Signs entries: write access to Redis without the key does not allow a forged user. */
  readonly signingKey: KeyObject;
  readonly clock: () => number;
  /** Called when Redis goes away, refuses this service, and is back. */
  readonly onAvailability: (available: boolean, cause?: unknown) => void;
}

/** The prefix of every key: the user of this service needs rights on these keys alone. */
export const keyPrefix = 'binnacle:token-review:';

/** Opens the shared cache on Redis. Connects in the background; until then, and while it is down, all is a miss. */
export function createRedisCache(options: RedisCacheOptions): SharedCache {
  const { access, signingKey, clock, onAvailability } = options;
  const connection = new RedisConnection({ access, probeKey: `${keyPrefix}probe`, onAvailability });
  return {
    async get(digest): Promise<SharedDecision | undefined> {
      const signed = await connection.attempt(redis => redis.get(keyPrefix + digest));
      const entry = signed ? verified(signed, digest, signingKey) : undefined;
      return entry && entry.until > clock() ? entry : undefined;
    },
    async set(digest, decision, until): Promise<void> {
      const ttl = Math.ceil(until - clock());
      if (ttl <= 0) return;
      const signed = sign({ decision, until }, digest, signingKey);
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

function sign(entry: SharedDecision, digest: string, key: KeyObject): string {
  const text = JSON.stringify(entry);
  return `${signText(text, digest, key).toString('base64url')}.${text}`;
}

/** The entry, if it was signed with the key and for this digest; undefined for anything else. */
function verified(signed: string, digest: string, key: KeyObject): SharedDecision | undefined {
  const dot = signed.indexOf('.');
  const text = signed.slice(dot + 1);
  const signature = Buffer.from(signed.slice(0, Math.max(dot, 0)), 'base64url');
  const expected = signText(text, digest, key);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  return JSON.parse(text) as SharedDecision; // Signed by this service: it is what was stringified.
}

function signText(text: string, digest: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(digest).update('\0').update(text).digest();
}
