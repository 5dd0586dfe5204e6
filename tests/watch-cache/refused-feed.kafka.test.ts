import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { backendRefusalIn, FollowedFiles, type RefusalKind } from '@binnacle/backend-access';
import { pollUntil } from '@binnacle/backends';
import { parseFlags } from '@binnacle/flags';
import { connectTopicAdministration, type KafkaConnection } from '@binnacle/kafka';
import { kafkaFlags, kafkaFromFlags } from '@binnacle/service-kit';
import { createStorageService } from '@binnacle/storage';
import type { LocalStorageService } from '@binnacle/storage/testing';
import { createMetrics, type Logger, silentLogger } from '@binnacle/telemetry';
import { createKafkaFeed, createWatchCache } from '@binnacle/watch-cache';
import { type KafkaOfManyDoors, startKafkaOfManyDoors } from './kafka-of-many-doors.ts';
import { watchLines } from './line-watch.ts';
import { users } from './locked-kafka.ts';
import { call, readHistory, secrets, write, writeMuch } from './storage-writers.ts';

let kafka: KafkaOfManyDoors;
let stores = 0;
let topics = 0;

/** Users that one of the two brokers does not have. */
const lateUsers = [
  { name: 'late-storage', password: 'late-storage-password', may: 'publish' },
  { name: 'late-gateway', password: 'late-gateway-password', may: 'read' },
] as const;

before(async () => {
  kafka = await startKafkaOfManyDoors({
    users: [...users, ...lateUsers],
    others: users.map(user => ({ ...user, password: 'other' })),
    topic: 'another',
  });
});
after(() => kafka?.[Symbol.asyncDispose]());

/** How one of the users connects, at the front unless it is said where. */
function createConnection(username: string, changes: Partial<KafkaConnection> = {}): KafkaConnection {
  return {
    brokers: [kafka.front],
    clientId: 'test',
    tls: { ca: readFileSync(kafka.tls.caFile), identity: undefined },
    user: { mechanism: 'scram-sha-512', username, password: async () => `${username}-password` },
    ...changes,
  };
}

/** Gives the publishers and readers of every case their rights to a topic; to Kafka a plaintext client is the user ANONYMOUS. */
async function grantAll(topic: string): Promise<void> {
  await using administration = await connectTopicAdministration(
    createConnection('admin', { brokers: kafka.server.brokers }),
  );
  await administration.grant([
    ...['storage', 'late-storage', 'ANONYMOUS'].map(user => ({ user, topic, may: 'publish' as const })),
    ...['gateway', 'late-gateway'].map(user => ({ user, topic, may: 'read' as const })),
  ]);
}

/** A logger that keeps the messages of lines at levels that operators look at. */
function listeningLogger(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string, fields?: Record<string, unknown>) =>
    void lines.push(`${message} ${fields?.['refusal'] ?? ''}`.trim());
  const log: Logger = { ...silentLogger, warn: keep, error: keep, info: keep, child: () => log };
  return { log, lines };
}

function startStorage(connection: KafkaConnection, topic: string, log: Logger): Promise<LocalStorageService> {
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
  /** The door that clients are led to at first. Default: one that is as it should be. */
  readonly door?: Parameters<KafkaOfManyDoors['lead']>[0];
  connection?(name: string): KafkaConnection;
  /** The rights of clients are there from the beginning. Default: true. */
  readonly isGranted?: boolean;
  /** Undefined: only other flags could help. Default: clients are led to a door that is as it should be. */
  readonly repair?: ((topic: string) => Promise<void> | void) | undefined;
}

const cases: readonly RefusedCase[] = [
  {
    what: 'a wrong password',
    kind: 'credentials',
    says: 'kafka refuses the credentials of this service',
    door: 'of others',
  },
  {
    what: 'a user that does not exist',
    kind: 'credentials',
    says: 'kafka refuses the credentials of this service',
    door: 'of others',
    connection: name => createConnection(`late-${name}`),
  },
  {
    what: 'no user, where one is asked for',
    kind: 'credentials',
    says: 'kafka refuses the credentials of this service',
    connection: name => createConnection(name, { user: undefined }),
    repair: undefined,
  },
  {
    what: 'a broker with a certificate of another authority',
    kind: 'tls',
    says: 'the TLS handshake with kafka fails',
    door: 'stranger',
  },
  {
    what: 'a broker that speaks plaintext',
    kind: 'tls',
    says: 'the TLS handshake with kafka fails',
    door: 'open',
  },
  {
    what: 'a client that speaks plaintext to a broker with TLS',
    kind: 'tls',
    says: 'the TLS handshake with kafka fails',
    connection: name => createConnection(name, { tls: undefined, user: undefined }),
    repair: () => kafka.lead('open'),
  },
  {
    what: 'users without rights to the topic',
    kind: 'permission',
    says: 'kafka denies this service an operation that it needs',
    isGranted: false,
    repair: grantAll,
  },
];

for (const refused of cases) {
  const { what, kind, says, door = 'locked', connection, isGranted = true } = refused;
  const repair = 'repair' in refused ? refused.repair : () => kafka.lead('locked');
  test(`${what}: publisher and reader report that once, writes continue, and after the repair nothing is missing`, async () => {
    const topic = `changes-${topics++}`;
    if (isGranted) await grantAll(topic);
    kafka.lead(door);
    const connect = connection ?? createConnection;
    const [publisher, reader] = [listeningLogger(), listeningLogger()];
    await using service = await startStorage(connect('storage'), topic, publisher.log);
    const feed = createKafkaFeed({ connection: connect('gateway'), topic, log: reader.log });
    await using cache = createWatchCache({ definitions: [secrets], storage: service.storage, feed });
    await pollUntil('both to be refused', () => !!(feed.refusal && service.publishingRefusal));
    assert.deepEqual([feed.refusal?.kind, service.publishingRefusal?.kind], [kind, kind]);
    assert.equal(feed.refusal?.message, says);
    assert.equal(cache.isReady, false);
    const begin = await write(service.storage, secrets, 'a/first', 'first');
    await writeMuch(service.storage, 5);
    if (repair === undefined) return;
    await repair(topic);
    await cache.ready();
    const type = cache.type(secrets);
    const watch = watchLines(type, { after: begin });
    const last = await write(service.storage, secrets, 'a/last', 'last');
    await type.waitFor(last, call());
    await pollUntil('the watch', () => watch.lines().some(line => line.includes(`@${last} `)));
    const revisions = watch.lines().map(line => Number(/@(\d+) /.exec(line)?.[1]));
    const history = await readHistory(service.storage, secrets, last);
    assert.deepEqual(
      revisions,
      history.map(({ revision }) => revision).filter(revision => revision > begin),
    );
    // Readers may see a record before the publisher hears that it is written.
    await pollUntil('both to be accepted', () => !feed.refusal && !service.publishingRefusal);
    assert.deepEqual(watch.ends, []);
    for (const { lines } of [publisher, reader]) {
      const refusals = lines.filter(line => line.startsWith('kafka refuses this service, retrying'));
      assert.deepEqual(refusals, [`kafka refuses this service, retrying ${says}`]);
      assert.equal(lines.filter(line => line === 'kafka accepts this service again').length, 1);
    }
  });
}

test('an unreachable Kafka is no refusal', async () => {
  const topic = `changes-${topics++}`;
  await grantAll(topic);
  const { log } = listeningLogger();
  const connect = (name: string) => createConnection(name, { brokers: kafka.server.brokers });
  await using service = await startStorage(connect('storage'), topic, log);
  const feed = createKafkaFeed({ connection: connect('gateway'), topic });
  await using cache = createWatchCache({ definitions: [secrets], storage: service.storage, feed });
  await cache.ready();
  await cache.type(secrets).waitFor(await write(service.storage, secrets, 'a/x', 'x'), call());
  await kafka.server.kill();
  const last = await write(service.storage, secrets, 'a/x', 'y');
  const refusals = new Set<unknown>();
  const started = kafka.server.restart();
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

test('a broker that requires client certificates accepts those of its authority only', async () => {
  const topic = `changes-${topics++}`;
  await grantAll(topic);
  const readIdentity = ({ certFile, keyFile }: KafkaOfManyDoors['tls']) => ({
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
  });
  const ca = readFileSync(kafka.tls.caFile);
  const connect = (identity: NonNullable<KafkaConnection['tls']>['identity']) =>
    createConnection('storage', { brokers: [kafka.certified], tls: { ca, identity } });
  for (const refused of [undefined, readIdentity(kafka.otherTls)]) {
    await using service = await startStorage(connect(refused), topic, silentLogger);
    await pollUntil('the refusal', () => service.publishingRefusal !== undefined);
    assert.equal(service.publishingRefusal?.kind, 'credentials');
  }
  await using administration = await connectTopicAdministration(connect(readIdentity(kafka.tls)));
  assert.equal((await administration.liveBrokers()) > 0, true);
});

/** The access of a user by files with these names, in the folder of the test. */
function accessByFiles(
  username: string,
  names: { readonly ca: string; readonly password: string },
  files: FollowedFiles,
) {
  const flags = [
    `--kafka-brokers=${kafka.front}`,
    `--kafka-ca-file=${join(kafka.directory, names.ca)}`,
    `--kafka-sasl-username=${username}`,
    `--kafka-sasl-password-file=${join(kafka.directory, names.password)}`,
  ];
  return kafkaFromFlags(parseFlags(kafkaFlags, flags, {}), { clientId: 'test' }, files);
}

test('publisher and reader go on with the authority that its file has, and trust the earlier one no more', async () => {
  const topic = `changes-${topics++}`;
  await grantAll(topic);
  kafka.lead('locked');
  using files = new FollowedFiles();
  const ca = join(kafka.directory, 'followed-ca');
  await copyFile(kafka.tls.caFile, ca);
  const connect = async (name: string) => {
    await writeFile(join(kafka.directory, name), `${name}-password`);
    return (await accessByFiles(name, { ca: 'followed-ca', password: name }, files)).connection;
  };
  await using service = await startStorage(await connect('storage'), topic, silentLogger);
  const feed = createKafkaFeed({ connection: await connect('gateway'), topic });
  await using cache = createWatchCache({ definitions: [secrets], storage: service.storage, feed });
  await cache.ready();
  const type = cache.type(secrets);
  const begin = await write(service.storage, secrets, 'a/first', 'first');
  const watch = watchLines(type, { after: begin });
  const refusals = () => [feed.refusal?.kind, service.publishingRefusal?.kind];
  for (const [door, authority] of [
    ['stranger', kafka.otherTls.caFile],
    ['locked', kafka.tls.caFile],
  ] as const) {
    kafka.lead(door);
    await pollUntil('both to refuse the other authority', () => refusals().every(kind => kind === 'tls'));
    await copyFile(authority, ca);
    await files.look(silentLogger);
    const last = await write(service.storage, secrets, `a/${door}`, door);
    await type.waitFor(last, call());
    await pollUntil('the watch', () => watch.lines().some(line => line.includes(`@${last} `)));
    await pollUntil('both to be accepted', () => refusals().every(kind => kind === undefined));
  }
  assert.deepEqual(watch.ends, []);
});

test('each authentication has the password that its file has', async () => {
  using files = new FollowedFiles();
  await copyFile(kafka.tls.caFile, join(kafka.directory, 'password-ca'));
  const password = join(kafka.directory, 'password');
  await writeFile(password, 'admin-password');
  const { connection } = await accessByFiles('admin', { ca: 'password-ca', password: 'password' }, files);
  const countBrokers = async () => {
    await using administration = await connectTopicAdministration(connection);
    return await administration.liveBrokers();
  };
  kafka.lead('locked');
  assert.ok((await countBrokers()) > 0);
  kafka.lead('of others');
  await assert.rejects(countBrokers, error => backendRefusalIn(error)?.kind === 'credentials');
  await writeFile(password, 'other');
  assert.ok((await countBrokers()) > 0);
});
