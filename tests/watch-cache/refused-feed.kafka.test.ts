import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { RefusalKind } from '@binnacle/backend-access';
import { pollUntil } from '@binnacle/backends';
import { connectTopicAdministration, type KafkaConnection } from '@binnacle/kafka';
import { createStorageService } from '@binnacle/storage';
import type { LocalStorageService } from '@binnacle/storage/testing';
import { createMetrics, type Logger, silentLogger } from '@binnacle/telemetry';
import { createKafkaFeed, createWatchCache } from '@binnacle/watch-cache';
import { watchLines } from './line-watch.ts';
import { type LockedKafka, prepareLockedKafka, topic, users } from './locked-kafka.ts';
import { call, historyOf, secrets, write, writeMuch } from './storage-writers.ts';

let kafka: LockedKafka;
let stores = 0;

before(async () => {
  kafka = await prepareLockedKafka();
});
after(() => kafka?.[Symbol.asyncDispose]());

/** A logger that keeps the messages of lines at levels that operators look at. */
function listeningLogger(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string, fields?: Record<string, unknown>) =>
    void lines.push(`${message} ${fields?.['refusal'] ?? ''}`.trim());
  const log: Logger = { ...silentLogger, warn: keep, error: keep, info: keep, child: () => log };
  return { log, lines };
}

function startStorage(connection: KafkaConnection, log: Logger): Promise<LocalStorageService> {
  return createStorageService({
    backend: { kind: 'embedded', directory: join(kafka.directory, `store-${stores++}`) },
    kafka: { connection, topic, partitions: 2, replicationFactor: 1 },
    log,
    metrics: createMetrics({ process: false }),
  });
}

interface RefusedCase {
  readonly what: string;
  readonly kind: RefusalKind;
  readonly says: string;
  lock(): Promise<void>;
  connection?(name: string): KafkaConnection;
  /** Undefined: only other flags could help. Default: a broker as it should be. */
  readonly repair?: (() => Promise<void>) | undefined;
}

const otherUsers = users.map(user => ({ ...user, password: 'other' }));
const cases: readonly RefusedCase[] = [
  {
    what: 'a wrong password',
    kind: 'credentials',
    says: 'kafka refuses the credentials of this service',
    lock: () => kafka.lock({ users: otherUsers }),
  },
  {
    what: 'a user that does not exist',
    kind: 'credentials',
    says: 'kafka refuses the credentials of this service',
    lock: () => kafka.lock({ users: users.filter(({ may }) => may === 'administer') }),
  },
  {
    what: 'no user, where one is asked for',
    kind: 'credentials',
    says: 'kafka refuses the credentials of this service',
    lock: () => kafka.lock(),
    connection: name => kafka.connectionOf(name, { user: undefined }),
    repair: undefined,
  },
  {
    what: 'a broker with a certificate of another authority',
    kind: 'tls',
    says: 'the TLS handshake with kafka fails',
    lock: () => kafka.lock({ tls: kafka.otherTls }),
  },
  {
    what: 'a broker that speaks plaintext',
    kind: 'tls',
    says: 'the TLS handshake with kafka fails',
    lock: () => kafka.lock('open'),
  },
  {
    what: 'a client that speaks plaintext to a broker with TLS',
    kind: 'tls',
    says: 'the TLS handshake with kafka fails',
    lock: () => kafka.lock(),
    connection: name => kafka.connectionOf(name, { tls: undefined, user: undefined }),
    repair: () => kafka.lock('open'),
  },
  {
    what: 'users without rights to the topic',
    kind: 'permission',
    says: 'kafka denies this service an operation that it needs',
    lock: () => kafka.lock({ topic: 'another' }),
    async repair() {
      await using administration = await connectTopicAdministration(kafka.connectionOf('admin'));
      await administration.grant([
        { user: 'storage', topic, may: 'publish' },
        { user: 'gateway', topic, may: 'read' },
      ]);
    },
  },
];

for (const refused of cases) {
  const { what, kind, says, lock, connection } = refused;
  const repair = 'repair' in refused ? refused.repair : () => kafka.lock();
  test(`${what}: publisher and reader say so once, writes go on, and after the repair nothing is missing`, async () => {
    await kafka.forget();
    await lock();
    const connect = connection ?? (name => kafka.connectionOf(name));
    const [publisher, reader] = [listeningLogger(), listeningLogger()];
    await using service = await startStorage(connect('storage'), publisher.log);
    const feed = createKafkaFeed({ connection: connect('gateway'), topic, log: reader.log });
    await using cache = createWatchCache({ definitions: [secrets], storage: service.storage, feed });
    await pollUntil('both to be refused', () => !!(feed.refusal && service.publishingRefusal));
    assert.deepEqual([feed.refusal?.kind, service.publishingRefusal?.kind], [kind, kind]);
    assert.equal(feed.refusal?.message, says);
    assert.equal(cache.isReady, false);
    const begin = await write(service.storage, secrets, 'a/first', 'first');
    await writeMuch(service.storage, 5);
    if (repair === undefined) return;
    await repair();
    await cache.ready();
    const type = cache.type(secrets);
    const watch = watchLines(type, { after: begin });
    const last = await write(service.storage, secrets, 'a/last', 'last');
    await type.waitFor(last, call());
    await pollUntil('the watch', () => watch.lines().some(line => line.includes(`@${last} `)));
    const revisions = watch.lines().map(line => Number(/@(\d+) /.exec(line)?.[1]));
    const history = await historyOf(service.storage, secrets, last);
    assert.deepEqual(
      revisions,
      history.map(({ revision }) => revision).filter(revision => revision > begin),
    );
    // Readers may see a record before the publisher hears that it is written.
    await pollUntil('both to be accepted', () => !feed.refusal && !service.publishingRefusal);
    assert.deepEqual(watch.ends, []);
    for (const { lines } of [publisher, reader]) {
      const refusals = lines.filter(line => line.startsWith('kafka refuses this service, retrying'));
      // A broker that comes back formatted anew is up for a moment before its rules are there.
      assert.equal(refusals[0], `kafka refuses this service, retrying ${says}`);
      assert.equal(new Set(refusals).size, refusals.length);
      assert.equal(lines.filter(line => line === 'kafka accepts this service again').length, 1);
    }
  });
}

test('Kafka that is merely away is no refusal', async () => {
  await kafka.lock();
  const { log } = listeningLogger();
  await using service = await startStorage(kafka.connectionOf('storage'), log);
  const feed = createKafkaFeed({ connection: kafka.connectionOf('gateway'), topic });
  await using cache = createWatchCache({ definitions: [secrets], storage: service.storage, feed });
  await cache.ready();
  await cache.type(secrets).waitFor(await write(service.storage, secrets, 'a/x', 'x'), call());
  await kafka.kill();
  const last = await write(service.storage, secrets, 'a/x', 'y');
  const refusals = new Set<unknown>();
  const started = kafka.lock();
  let isBack = false;
  void started.then(() => {
    isBack = true;
  });
  await pollUntil('Kafka to be back', () => {
    refusals.add(feed.refusal).add(service.publishingRefusal);
    return isBack;
  });
  await cache.type(secrets).waitFor(last, call());
  assert.deepEqual([...refusals], [undefined]);
});

test('a broker that asks for client certificates takes one of its authority, and refuses none and others', async () => {
  await kafka.lock({}, { 'listener.name.clients.ssl.client.auth': 'required' });
  const identityOf = ({ certFile, keyFile }: LockedKafka['tls']) => ({
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
  });
  const ca = readFileSync(kafka.tls.caFile);
  const connect = (identity: NonNullable<KafkaConnection['tls']>['identity']) =>
    kafka.connectionOf('storage', { tls: { ca, identity } });
  for (const refused of [undefined, identityOf(kafka.otherTls)]) {
    await using service = await startStorage(connect(refused), silentLogger);
    await pollUntil('the refusal', () => service.publishingRefusal !== undefined);
    assert.equal(service.publishingRefusal?.kind, 'credentials');
  }
  await using administration = await connectTopicAdministration(connect(identityOf(kafka.tls)));
  assert.equal((await administration.liveBrokers()) > 0, true);
});
