import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';

const refused: readonly { readonly flags: readonly string[]; readonly says: RegExp }[] = [
  { flags: [], says: /either --tls-dir or --insecure/ },
  { flags: ['--insecure', '--tls-dir=x'], says: /exclude each other/ },
  { flags: ['--insecure', '--backend=files'], says: /--backend must be one of etcd, embedded/ },
  { flags: ['--insecure', '--etcd-endpoints=https://etcd:2379'], says: /--etcd-cafile/ },
  { flags: ['--insecure', '--etcd-cafile=ca', '--etcd-keyfile=key'], says: /go together/ },
  { flags: ['--insecure', '--etcd-prefix=binnacle/'], says: /--etcd-prefix/ },
  { flags: ['--insecure', '--history-window=10ms'], says: /--history-window/ },
];

for (const { flags, says } of refused) {
  test(`the flags [${flags.join(' ')}] are refused`, async () => {
    await assert.rejects(readConfig(flags, {}), says);
  });
}

test('the defaults are etcd and the direct feed, kept for five minutes', async () => {
  const { service, server } = await readConfig(['--insecure'], {});
  assert.deepEqual(service, {
    backend: { kind: 'etcd', etcd: { endpoints: ['http://127.0.0.1:2379'], prefix: '/binnacle' } },
    historyWindowMs: 300_000,
    leaderLeaseSeconds: 6,
  });
  assert.deepEqual(server, { insecure: true, host: '127.0.0.1', port: 7001 });
});

test('flags come from the environment as well', async () => {
  const env = { BINNACLE_BACKEND: 'embedded', BINNACLE_DATA_DIR: '/data', BINNACLE_CHANGE_FEED: 'kafka' };
  const { service } = await readConfig(['--insecure'], env);
  assert.deepEqual(service.backend, { kind: 'embedded', directory: '/data/store' });
  assert.deepEqual(service.kafka, {
    brokers: ['127.0.0.1:9092'],
    topic: 'binnacle-changes',
    partitions: 8,
    replicationFactor: 1,
  });
});
