import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlagError, parseFlags } from '@binnacle/flags';
import { serviceOptionsFrom, storageFlags } from './config.ts';

const optionsFrom = async (argv: readonly string[], env: Record<string, string> = {}) =>
  serviceOptionsFrom(parseFlags(storageFlags, argv, env));

const refused: readonly { readonly flags: readonly string[]; readonly says: RegExp }[] = [
  { flags: ['--backend=files'], says: /--backend must be one of etcd, embedded/ },
  { flags: ['--etcd-endpoints=https://etcd:2379'], says: /--etcd-cafile/ },
  { flags: ['--etcd-certfile=cert', '--etcd-keyfile=key'], says: /needs the certificate authority file/ },
  { flags: ['--etcd-cafile=ca', '--etcd-keyfile=key'], says: /must be given together/ },
  { flags: [`--etcd-cafile=${import.meta.filename}`], says: /begin with https/ },
  { flags: ['--etcd-username=storage'], says: /--etcd-password-file/ },
  { flags: ['--etcd-username=storage', '--etcd-password-file=p'], says: /in the clear/ },
  { flags: ['--etcd-prefix=binnacle/'], says: /--etcd-prefix/ },
  { flags: ['--history-window=10ms'], says: /--history-window/ },
];

for (const { flags, says } of refused) {
  test(`the flags [${flags.join(' ')}] are refused`, async () => {
    await assert.rejects(optionsFrom(flags), (error: unknown) => {
      assert.ok(error instanceof FlagError);
      assert.match(error.message, says);
      return true;
    });
  });
}

test('the defaults are etcd, the direct feed and a window of five minutes', async () => {
  const service = await optionsFrom([]);
  assert.deepEqual(service, {
    backend: {
      kind: 'etcd',
      etcd: {
        endpoints: ['http://127.0.0.1:2379'],
        prefix: '/binnacle',
        batchLimits: { operations: 128, bytes: 1_572_864 },
      },
    },
    etcdQuotaBytes: 2_147_483_648,
    historyWindow: 300_000,
    leaderLease: 6_000,
  });
});

test('other limits of etcd than its defaults can be set', async () => {
  const { backend } = await optionsFrom(['--etcd-max-txn-ops=1024', '--etcd-max-request-bytes=10485760']);
  assert.equal(backend.kind, 'etcd');
  assert.deepEqual(backend.kind === 'etcd' && backend.etcd.batchLimits, {
    operations: 1024,
    bytes: 10_485_760,
  });
  await assert.rejects(optionsFrom(['--etcd-max-txn-ops=4']), /--etcd-max-txn-ops/);
});

test('flags can be set in the environment', async () => {
  const env = { BINNACLE_BACKEND: 'embedded', BINNACLE_DATA_DIR: '/data', BINNACLE_CHANGE_FEED: 'kafka' };
  const service = await optionsFrom([], env);
  assert.deepEqual(service.backend, { kind: 'embedded', directory: '/data/store' });
  assert.deepEqual(service.kafka, {
    connection: {
      brokers: ['127.0.0.1:9092'],
      tls: undefined,
      user: undefined,
      clientId: 'binnacle-storage',
    },
    encryption: { keys: undefined, acceptUnencrypted: false },
    topic: 'binnacle-changes-3',
    partitions: 8,
    replicationFactor: 1,
  });
});

test('a record cannot require more replicas than it has', async () => {
  const three = ['--change-feed=kafka', '--kafka-replication-factor=3', '--kafka-min-insync-replicas=2'];
  const { kafka } = await optionsFrom(three, {});
  assert.deepEqual([kafka?.replicationFactor, kafka?.minInSyncReplicas], [3, 2]);
  await assert.rejects(
    optionsFrom(['--change-feed=kafka', '--kafka-min-insync-replicas=2'], {}),
    /--kafka-min-insync-replicas must not be more than --kafka-replication-factor/,
  );
});
