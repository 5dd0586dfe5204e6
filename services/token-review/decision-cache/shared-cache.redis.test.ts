import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { pollUntil, type RedisServer, startRedis } from '@binnacle/backends';
import { Redis } from 'ioredis';
import type { Decision } from '../authenticators/authenticator.ts';
import { redisAccessFrom } from './redis-access.ts';
import { createRedisCache, type SharedCache } from './shared-cache.ts';

const user = { username: 'alice', uid: 'u', groups: ['g'], extra: {} };
const good: Decision = { kind: 'authenticated', user, audiences: ['api'] };
let server: RedisServer;

before(async () => {
  server = await startRedis();
});

after(async () => {
  await server[Symbol.asyncDispose]();
});

async function open(secret = 'secret'): Promise<{ cache: SharedCache; up: () => boolean }> {
  let available = false;
  const access = await redisAccessFrom({ redisUrl: server.url });
  assert.ok(access);
  const cache = createRedisCache({
    access,
    signingKey: () => createSecretKey(secret, 'utf8'),
    clock: Date.now,
    onAvailability: now => {
      available = now;
    },
  });
  await pollUntil('the cache to be connected', () => available);
  return { cache, up: () => available };
}

test('a decision of one pod is read by another with the same key, and not without it', async () => {
  await using stack = new AsyncDisposableStack();
  const first = stack.use((await open()).cache);
  const second = stack.use((await open()).cache);
  const stranger = stack.use((await open('other')).cache);
  const until = Date.now() + 60_000;
  await first.set('digest', good, until);
  assert.deepEqual(await second.get('digest'), { decision: good, until });
  assert.equal(await stranger.get('digest'), undefined);
  assert.equal(await second.get('another'), undefined);
});

test('an entry that another program wrote or moved to another token is a miss', async () => {
  await using stack = new AsyncDisposableStack();
  const { cache } = await open();
  stack.use(cache);
  await cache.set('mine', good, Date.now() + 60_000);
  const redis = new Redis(server.url);
  stack.defer(() => redis.disconnect());
  const signed = await redis.get('binnacle:token-review:mine');
  assert.ok(signed);
  assert.doesNotMatch(signed, /token/);
  await redis.set('binnacle:token-review:moved', signed);
  await redis.set(
    'binnacle:token-review:forged',
    JSON.stringify({ decision: good, until: Date.now() + 60_000 }),
  );
  assert.equal(await cache.get('moved'), undefined);
  assert.equal(await cache.get('forged'), undefined);
});

test('every lookup is a miss while Redis is unavailable, and decisions are shared again afterwards', async () => {
  await using stack = new AsyncDisposableStack();
  const { cache, up } = await open();
  stack.use(cache);
  await server.kill();
  await pollUntil('the loss to be seen', () => !up());
  assert.equal(await cache.get('digest'), undefined);
  await cache.set('digest', good, Date.now() + 60_000);
  await server.restart();
  await pollUntil('the cache to be connected again', up);
  const until = Date.now() + 60_000;
  await cache.set('digest', good, until);
  assert.deepEqual(await cache.get('digest'), { decision: good, until });
});
