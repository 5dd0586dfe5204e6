import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { copyFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BackendRefusal, FollowedFiles, type RefusalKind } from '@binnacle/backend-access';
import { pollUntil, type RedisServer, startRedis } from '@binnacle/backends';
import { silentLogger } from '@binnacle/telemetry';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { Redis } from 'ioredis';
import type { Decision } from '../authenticators/authenticator.ts';
import { type RedisFlags, redisAccessFrom } from './redis-access.ts';
import { createRedisCache, keyPrefix, type SharedCache } from './shared-cache.ts';

const user = { username: 'alice', uid: 'u', groups: ['g'], extra: {} };
const good: Decision = { kind: 'authenticated', user, audiences: ['api'] };
let directory = '';
let pki: Pki;
let server: RedisServer;

const clients = [{ name: 'token-review', commonName: 'token-review' }];

const filesIn = (folder: string) => ({
  caFile: join(folder, 'ca.crt'),
  certFile: join(folder, 'tls.crt'),
  keyFile: join(folder, 'tls.key'),
});

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-locked-redis-'));
  pki = await createPki(directory, { services: ['gateway'], backends: [{ name: 'redis', clients }] });
  server = await startRedis({
    security: {
      tls: filesIn(pki.backendServerDirectory('redis')),
      users: [
        { name: 'token-review', password: 'good', keyPrefix, commands: ['get', 'set'] },
        { name: 'writer', password: 'good', keyPrefix, commands: ['set'] },
        { name: 'stranger', password: 'good', keyPrefix: 'other:', commands: ['get', 'set'] },
      ],
    },
  });
  for (const password of ['good', 'wrong']) await writeFile(join(directory, password), `${password}\n`);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** The flags of a service that may do what it needs. */
function goodFlags(): RedisFlags {
  const files = filesIn(pki.backendClientDirectory('redis', 'token-review'));
  return {
    redisUrl: server.url,
    redisCaFile: files.caFile,
    redisCertFile: files.certFile,
    redisKeyFile: files.keyFile,
    redisUsername: 'token-review',
    redisPasswordFile: join(directory, 'good'),
  };
}

interface Opened {
  readonly cache: SharedCache;
  /** The reports, in order. */
  readonly told: string[];
}

async function open(flags: RedisFlags, files?: FollowedFiles): Promise<Opened> {
  const access = await redisAccessFrom(flags, files);
  assert.ok(access);
  const told: string[] = [];
  const cache = createRedisCache({
    access,
    signingKey: () => createSecretKey('secret', 'utf8'),
    clock: Date.now,
    onAvailability: (now, cause) =>
      told.push(now ? 'up' : cause instanceof BackendRefusal ? cause.kind : 'away'),
  });
  return { cache, told };
}

test('decisions are shared by a user with two commands on keys of one prefix', async () => {
  await using stack = new AsyncDisposableStack();
  const [first, second] = [await open(goodFlags()), await open(goodFlags())];
  for (const { cache, told } of [first, second]) {
    stack.use(cache);
    await pollUntil('Redis to take commands', () => told.at(-1) === 'up');
    assert.equal(await cache.refusal(), undefined);
  }
  const until = Date.now() + 60_000;
  await first.cache.set('digest', good, until);
  assert.deepEqual(await second.cache.get('digest'), { decision: good, until });
  assert.deepEqual(first.told, ['up']);
});

const refusals: readonly {
  readonly name: string;
  readonly kind: RefusalKind;
  flags(): RedisFlags;
}[] = [
  {
    name: 'a wrong password',
    kind: 'credentials',
    flags: () => ({ ...goodFlags(), redisPasswordFile: join(directory, 'wrong') }),
  },
  {
    name: 'no user',
    kind: 'credentials',
    flags: () => ({ ...goodFlags(), redisUsername: undefined, redisPasswordFile: undefined }),
  },
  {
    name: 'a user without the command GET',
    kind: 'permission',
    flags: () => ({ ...goodFlags(), redisUsername: 'writer' }),
  },
  {
    name: 'a user of other keys',
    kind: 'permission',
    flags: () => ({ ...goodFlags(), redisUsername: 'stranger' }),
  },
  {
    name: 'no client certificate',
    kind: 'tls',
    flags: () => ({ ...goodFlags(), redisCertFile: undefined, redisKeyFile: undefined }),
  },
  {
    name: 'the certificate of a gateway',
    kind: 'tls',
    flags() {
      const { certFile, keyFile } = filesIn(pki.serviceDirectory('gateway'));
      return { ...goodFlags(), redisCertFile: certFile, redisKeyFile: keyFile };
    },
  },
  {
    name: 'another authority',
    kind: 'tls',
    flags: () => ({ ...goodFlags(), redisCaFile: filesIn(pki.serviceDirectory('gateway')).caFile }),
  },
  { name: 'no TLS at all', kind: 'tls', flags: () => ({ redisUrl: `redis://${server.address}` }) },
];
for (const { name, kind, flags } of refusals) {
  test(`${name} is refused (${kind}) and logged once, and every lookup is a miss`, async () => {
    await using stack = new AsyncDisposableStack();
    const { cache, told } = await open(flags());
    stack.use(cache);
    // On a crowded machine the first attempt may time out: Redis is away then, and another attempt follows.
    await pollUntil('the refusal', async () => (await cache.refusal())?.kind === kind);
    await cache.set('digest', good, Date.now() + 60_000);
    assert.equal(await cache.get('digest'), undefined);
    assert.deepEqual(told, [kind]);
  });
}

test('a corrected password file is used without a restart', async () => {
  await using stack = new AsyncDisposableStack();
  const redisPasswordFile = join(directory, 'repaired');
  await writeFile(redisPasswordFile, 'wrong');
  const { cache, told } = await open({ ...goodFlags(), redisPasswordFile });
  stack.use(cache);
  await pollUntil('the refusal', async () => (await cache.refusal())?.kind === 'credentials');
  await writeFile(redisPasswordFile, 'good');
  await pollUntil('the refusal to end', async () => (await cache.refusal()) === undefined);
  assert.deepEqual(told, ['credentials', 'up']);
});

test('an unavailable Redis is no refusal', async () => {
  await using stack = new AsyncDisposableStack();
  const { cache, told } = await open(goodFlags());
  stack.use(cache);
  await cache.refusal();
  await server.kill();
  await pollUntil('the loss to be seen', () => told.at(-1) === 'away');
  assert.equal(await cache.refusal(), undefined);
  await server.restart();
  await pollUntil('the connection to be back', () => told.at(-1) === 'up');
});

test('the user can neither read other keys, nor list keys, nor administer Redis', async () => {
  const redis = new Redis({
    port: server.port,
    username: 'token-review',
    password: 'good',
    enableReadyCheck: false,
    tls: await loadTls(pki.backendClientDirectory('redis', 'token-review')),
  });
  try {
    assert.equal(await redis.get(`${keyPrefix}none`), null);
    for (const refused of [
      redis.get('other'),
      redis.keys('*'),
      redis.flushall(),
      redis.config('GET', '*'),
      redis.acl('LIST'),
      redis.publish('channel', 'x'),
    ])
      await assert.rejects(refused, /NOPERM/);
  } finally {
    redis.disconnect();
  }
});

test('certificates of another authority are exchanged on both sides, and the earlier ones connect no more', async () => {
  await using stack = new AsyncDisposableStack();
  const files = stack.use(new FollowedFiles());
  const next = await createPki(join(directory, 'next'), { backends: [{ name: 'redis', clients }] });
  const own = pki.backendClientDirectory('redis', 'token-review');
  const { cache, told } = await open(goodFlags(), files);
  stack.use(cache);
  await pollUntil('the connection', () => told.at(-1) === 'up');
  await server.kill();
  await exchange(next.backendServerDirectory('redis'), pki.backendServerDirectory('redis'));
  await server.restart();
  await pollUntil('the refusal', async () => (await cache.refusal())?.kind === 'tls');
  const stayed = join(directory, 'stayed');
  await cp(own, stayed, { recursive: true });
  await exchange(next.backendClientDirectory('redis', 'token-review'), own);
  await files.look(silentLogger);
  await pollUntil('the refusal to end', () => told.at(-1) === 'up');
  const until = Date.now() + 60_000;
  await cache.set('digest', good, until);
  assert.deepEqual(await cache.get('digest'), { decision: good, until });
  // Redis does not accept the earlier client certificate either, though its authority is known to the client.
  const { certFile, keyFile } = filesIn(stayed);
  const earlier = await open({ ...goodFlags(), redisCertFile: certFile, redisKeyFile: keyFile });
  stack.use(earlier.cache);
  await pollUntil(
    'the earlier certificate to be refused',
    async () => (await earlier.cache.refusal())?.kind === 'tls',
  );
});

/** Puts the files of a folder of certificates in the place of those of another one. */
async function exchange(from: string, to: string): Promise<void> {
  for (const name of ['ca.crt', 'tls.crt', 'tls.key']) await copyFile(join(from, name), join(to, name));
}
