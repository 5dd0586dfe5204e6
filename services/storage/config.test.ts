import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { groups } from '@binnacle/api-names';
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
  { flags: ['--etcd-username=storage', '--etcd-password-file=p'], says: /in plaintext/ },
  { flags: ['--etcd-prefix=binnacle/'], says: /--etcd-prefix/ },
  { flags: ['--history-window=10ms'], says: /--history-window/ },
  { flags: ['--encryption-provider-config-automatic-reload'], says: /needs --encryption-provider-config/ },
  { flags: ['--encryption-provider-config=no-such-file'], says: /--encryption-provider-config: ENOENT/ },
  {
    flags: [`--encryption-provider-config=${import.meta.dirname}/encryption/fixtures/stored-values.json`],
    says: /^--encryption-provider-config .*: it does not hold an object$/,
  },
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

test('values encrypted in the store are not published in plaintext', async context => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-encryption-flags-'));
  context.after(() => rm(directory, { recursive: true }));
  const secret = Buffer.alloc(32, 1).toString('base64');
  const file = join(directory, 'encryption.yaml');
  const keys = join(directory, 'feed.key');
  await writeFile(keys, secret);
  await writeFile(
    file,
    `apiVersion: ${groups.apiserverConfig}/v1\nkind: EncryptionConfiguration\nresources: [{ resources: [secrets], providers: [secretbox: { keys: [{ name: a, secret: ${secret} }] }] }]\n`,
  );
  const flags = [`--encryption-provider-config=${file}`];
  await assert.rejects(optionsFrom([...flags, '--change-feed=kafka']), (error: unknown) => {
    assert.ok(error instanceof FlagError);
    assert.match(error.message, /^--encryption-provider-config .*: the change feed .* set --feed-key-file/);
    return true;
  });
  for (const feed of [['--change-feed=direct'], ['--change-feed=kafka', `--feed-key-file=${keys}`]]) {
    const { encryption } = await optionsFrom([...flags, ...feed]);
    assert.deepEqual([...(encryption?.configuration.types.keys() ?? [])], ['/core/secrets/']);
  }
  assert.equal((await optionsFrom([])).encryption, undefined);
});
