import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { backendRefusalIn, type RefusalKind } from '@binnacle/backend-access';
import {
  connectTopicAdministration,
  connectTopicReader,
  connectTopicWriter,
  type KafkaConnection,
  type KafkaUser,
} from '@binnacle/kafka';
import { createPki, pkiPaths } from '@binnacle/tls';
import { findFreePort } from './free-port.ts';
import { type KafkaServer, startKafka } from './kafka.ts';
import type { KafkaServerSecurity } from './kafka-security.ts';

const topic = 'changes';
const users = [
  { name: 'storage', password: 'storage-password', may: 'publish' },
  { name: 'gateway', password: 'gateway-password', may: 'read' },
  { name: 'admin', password: 'admin-password', may: 'administer' },
] as const;

let directory: string;
let security: KafkaServerSecurity;
let kafka: KafkaServer;
let ca: Buffer;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-kafka-security-'));
  await createPki(directory, { services: ['kafka'] });
  const files = (name: string) => join(pkiPaths(directory).serviceDirectory('kafka'), name);
  const tls = { caFile: files('ca.crt'), certFile: files('tls.crt'), keyFile: files('tls.key') };
  ca = readFileSync(tls.caFile);
  security = { tls, users, topic };
  kafka = await startKafka({ security });
});

after(async () => {
  await kafka?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

function createConnection(
  name: string,
  changes: Partial<KafkaConnection & Pick<KafkaUser, 'mechanism'>> & { readonly password?: string } = {},
): KafkaConnection {
  const { mechanism = 'scram-sha-512', password = users.find(user => user.name === name)?.password ?? '' } =
    changes;
  const tls = { ca, identity: undefined };
  const user = { username: name, password: async () => password, mechanism };
  return { brokers: kafka.brokers, clientId: 'test', tls, user, ...changes };
}

async function createTopic(name: string, created = topic): Promise<void> {
  await using administration = await connectTopicAdministration(createConnection(name));
  await administration.createTopic({ topic: created, partitions: 1, replicationFactor: 1, settings: {} });
}

async function append(connection: KafkaConnection): Promise<void> {
  await using writer = await connectTopicWriter({ connection, topic });
  await writer.append([{ partition: 0, key: null, value: Buffer.from('x'), timestamp: 1 }]);
}

async function read(connection: KafkaConnection): Promise<number> {
  await using reader = await connectTopicReader({ connection, topic, maxWaitMs: 100 });
  const [leader = ''] = reader.leaders.keys();
  const [fetched] = await reader.fetch(leader, new Map([[0, 0n]]));
  return fetched?.records.length ?? 0;
}

const refusedAs = (kind: RefusalKind) => (thrown: unknown) => {
  assert.equal(backendRefusalIn(thrown)?.kind, kind, String(thrown));
  return true;
};

test('with either mechanism the publisher creates and writes the topic and the reader reads it', async () => {
  await createTopic('storage');
  await append(createConnection('storage'));
  await append(createConnection('storage', { mechanism: 'scram-sha-256' }));
  assert.equal(await read(createConnection('gateway')), 2);
  assert.equal(await read(createConnection('gateway', { mechanism: 'scram-sha-256' })), 2);
  assert.equal(await read(createConnection('storage')), 2);
});

test('a user who may read can neither write nor create topics, and only administrators use other topics', async () => {
  await assert.rejects(append(createConnection('gateway')), refusedAs('permission'));
  await assert.rejects(createTopic('gateway', 'other'), refusedAs('permission'));
  await assert.rejects(createTopic('storage', 'other'), refusedAs('permission'));
  const grants = [{ user: 'gateway', topic, may: 'publish' }] as const;
  await using administration = await connectTopicAdministration(createConnection('gateway'));
  await assert.rejects(administration.grant(grants), refusedAs('permission'));
  await createTopic('admin', 'other');
});

test('clients with a wrong password, an unknown user, no user, no TLS or another authority are refused by reason', async () => {
  const stranger = await mkdtemp(join(tmpdir(), 'binnacle-stranger-'));
  await createPki(stranger);
  const otherCa = readFileSync(pkiPaths(stranger).caFile);
  await rm(stranger, { recursive: true });
  const cases: [string, KafkaConnection, RefusalKind][] = [
    ['wrong password', createConnection('gateway', { password: 'wrong' }), 'credentials'],
    ['unknown user', createConnection('nobody', { password: 'x' }), 'credentials'],
    ['no user', createConnection('gateway', { user: undefined }), 'credentials'],
    ['no TLS', createConnection('gateway', { tls: undefined }), 'tls'],
    ['no TLS and no user', createConnection('gateway', { tls: undefined, user: undefined }), 'tls'],
    ['another authority', createConnection('gateway', { tls: { ca: otherCa, identity: undefined } }), 'tls'],
  ];
  for (const [name, connection, kind] of cases) {
    await assert.rejects(read(connection), refusedAs(kind), name);
    await assert.rejects(append(connection), refusedAs(kind), name);
  }
});

test('a broker whose certificate has another host name is refused', async () => {
  const forwarder = createServer(socket => {
    const broker = connect(kafka.port, '127.0.0.1');
    socket.pipe(broker).pipe(socket);
    for (const end of [socket, broker]) end.on('error', () => {});
  });
  await once(forwarder.listen(0, '127.0.0.2'), 'listening');
  const { port } = forwarder.address() as AddressInfo; // It listens on TCP.
  const elsewhere = createConnection('gateway', { brokers: [`127.0.0.2:${port}`] });
  await assert.rejects(read(elsewhere), refusedAs('tls'));
  forwarder.close();
  assert.equal(await read(createConnection('gateway', { brokers: [`localhost:${kafka.port}`] })), 2);
});

test('the listener of the controller refuses the passwords of clients', async () => {
  const text = readFileSync(join(kafka.dataDirectory, 'server.properties'), 'utf8');
  const [, controller = ''] = /CONTROLLER:\/\/(127\.0\.0\.1:\d+)/.exec(text) ?? [];
  const look = async (changes: Partial<KafkaConnection>) => {
    await using administration = await connectTopicAdministration(
      createConnection('admin', { brokers: [controller], ...changes }),
    );
    return (await administration.liveBrokers()) > 0;
  };
  await assert.rejects(look({}), refusedAs('credentials'));
  await assert.rejects(look({ tls: undefined, user: undefined }), refusedAs('tls'));
});

test('users and rules survive a restart, and a changed set of users formats the data anew', async () => {
  const dataDirectory = join(directory, 'data');
  const port = await findFreePort();
  const first = await startKafka({ dataDirectory, port, security });
  await first.kill();
  await first.restart();
  const connection = createConnection('storage', { brokers: first.brokers });
  await using administration = await connectTopicAdministration(connection);
  await administration.createTopic({ topic, partitions: 1, replicationFactor: 1, settings: {} });
  await first[Symbol.asyncDispose]();
  const changed = [{ ...users[0], password: 'new' }];
  await using second = await startKafka({ dataDirectory, port, security: { ...security, users: changed } });
  assert.equal(second.port, port);
  await assert.rejects(read(connection), refusedAs('credentials'));
  await append({ ...connection, user: { ...connection.user!, password: async () => 'new' } }).then(
    () => assert.fail('the topic is gone'),
    () => {},
  );
});
