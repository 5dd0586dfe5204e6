import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pollUntil, type RedisServer, startRedis } from '@binnacle/backends';
import { createMetrics } from '@binnacle/telemetry';
import { Redis } from 'ioredis';
import type { Decision } from '../authenticators/authenticator.ts';
import { createCacheMetrics } from './cache-metrics.ts';
import { DecisionCache } from './decision-cache.ts';
import { createDecisionKeys } from './decision-keys.ts';
import { redisAccessFrom } from './redis-access.ts';
import { createRedisCache } from './shared-cache.ts';

const cacheTtl = { success: 600_000, failure: 600_000 };
let server: RedisServer;

before(async () => {
  server = await startRedis();
});
after(() => server[Symbol.asyncDispose]());

/** The cache of a pod that runs on while its secret and settings change. */
async function startPod(name: string) {
  const sources = { secret: Buffer.from('old'), settings: 'old' };
  const keys = createDecisionKeys({
    secret: () => sources.secret,
    settingsDigest: () => sources.settings,
  });
  const access = await redisAccessFrom({ redisUrl: server.url });
  assert.ok(access);
  const signingKey = () => keys().signing;
  const shared = createRedisCache({ access, signingKey, clock: Date.now, onAvailability() {} });
  await pollUntil('the cache to be connected', () => shared.isUp);
  const cache = new DecisionCache({
    shared,
    digestKey: () => keys().digest,
    maxEntries: 10,
    clock: Date.now,
    metrics: createCacheMetrics(createMetrics({ process: false })),
  });
  const user = { username: name, uid: 'u', groups: [], extra: {} };
  const own: Decision = { kind: 'authenticated', user, audiences: [] };
  /** The pod that has decided on the token. */
  const decider = async () => {
    const question = { token: 't', audiences: [], authenticator: { name: 'a', cacheTtl } };
    const { decision } = await cache.decide(question, async () => own);
    return decision.kind === 'authenticated' ? decision.user.username : decision.kind;
  };
  return { sources, decider, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
}

test('pods share decisions while they have the same secret and settings, also after both were exchanged', async () => {
  await using stack = new AsyncDisposableStack();
  const first = stack.use(await startPod('first'));
  const second = stack.use(await startPod('second'));
  const redis = new Redis(server.url);
  stack.defer(() => redis.disconnect());
  // Answers do not wait for the write.
  const written = (count: number) =>
    pollUntil(`${count} decisions in Redis`, async () => (await redis.dbsize()) === count);
  const shared = async () => [await first.decider(), await second.decider()];

  assert.equal(await first.decider(), 'first');
  await written(1);
  assert.deepEqual(await shared(), ['first', 'first']);

  second.sources.secret = Buffer.from('new');
  assert.equal(await second.decider(), 'second', 'a decision of another secret is not used');
  await written(2);
  assert.deepEqual(await shared(), ['first', 'second']);
  first.sources.secret = Buffer.from('new');
  assert.deepEqual(await shared(), ['second', 'second'], 'the pods have the same secret');

  first.sources.settings = 'new';
  assert.equal(await first.decider(), 'first', 'a decision of other settings is not used');
  await written(3);
  second.sources.settings = 'new';
  assert.deepEqual(await shared(), ['first', 'first'], 'the pods have the same settings');
});
