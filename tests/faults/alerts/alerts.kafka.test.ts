import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort, pollUntil } from '@binnacle/backends';
import {
  type ApiClient,
  type ClientConfiguration,
  createApiClient,
  loadClientConfiguration,
} from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { type AddedGateway, feedTopic } from '@binnacle/compose/testing';
import { connectTopicWriter } from '@binnacle/kafka';
import { StatusError } from '@binnacle/status-errors';
import { parse } from 'yaml';
import {
  identity,
  type Key,
  providerOf,
  writeEncryptionFile,
  wrongKey,
} from '../../journeys/setup/encryption-file.ts';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { findEtcdLeader } from '../injections/etcd-leader.ts';
import { combineInjections, createInjection, type Injection } from '../injections/injection.ts';
import { freeze, freezeInRhythm, kill } from '../injections/processes.ts';
import { feedConnection } from '../injections/topic-leader.ts';
import { createAccounts, startWrites } from '../steady-writes.ts';
import { assertFires } from './firing.ts';
import { type LivePrometheus, prometheusMissing, startPrometheus } from './live-prometheus.ts';

/** Every alert fires once, and ends, on services and backends that run: some minutes, only with `BINNACLE_FAULTS=all`. */
const skip =
  process.env['BINNACLE_FAULTS'] === 'all' ? (prometheusMissing() ?? false) : 'only with BINNACLE_FAULTS=all';
/** Milliseconds for one fault: it has to begin and to end, and so have its alerts. */
const timeout = 400_000;
const root = resolve(import.meta.dirname, '../../..');
const rules = readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8');
const quotaBytes = 64 * 1024 * 1024;
/** Of one address, at the gateway with small limits. */
const mostConnections = 20;
const namespace = 'alerts';
const secrets = `/api/v1/namespaces/${namespace}/secrets`;
const services = [
  'gateway',
  'admission',
  'storage',
  'token-review',
  'webhook-dispatch',
  'controller-manager',
];

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let dataDirectory: string;
/** The configuration of encryption at rest. */
let encryptionFile: string;
let form: Distributed;
let prometheus: LivePrometheus;
/** A gateway with small limits, and a certificate that ends soon. */
let small: AddedGateway;
let clients: ApiClient[] = [];
let account: ClientConfiguration;
let writes: ReturnType<typeof startWrites>;
/** Alerts that have fired, and ended again. */
const fired = new Set<string>();

before(async () => {
  if (skip !== false) return;
  directory = await createTemporaryDirectory();
  dataDirectory = join(directory.path, 'data');
  encryptionFile = join(directory.path, 'encryption.yaml');
  await encryptWith('a');
  form = await startDistributed({
    ...{ dataDirectory, port: await findFreePort(), ha: true, links: true, etcdQuotaBytes: quotaBytes },
    arguments: {
      storage: ['--history-window=30s', `--encryption-provider-config=${encryptionFile}`],
      gateway: ['--history-window=30s'],
      'webhook-dispatch': ['--allow-loopback-webhooks=true'],
    },
  });
  const configuration = loadClientConfiguration(form.adminConfiguration);
  clients = form.gateways.map(server =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'alerts' }),
  );
  prometheus = await startPrometheus(
    join(directory.path, 'prometheus'),
    services.flatMap(service =>
      [1, 2].map(number => ({ service, port: form.operationsPort(`${service}-${number}`) })),
    ),
  );
  // One pod is left only where there were more.
  await pollUntil('the metrics of every pod', async () => {
    const [up] = await prometheus.query('sum(up)');
    return up === 2 * services.length;
  });
  await post('/api/v1/namespaces', { metadata: { name: namespace } });
  writes = startWrites({ clients, perSecond: 20, collections: [secrets] });
});

after(async () => {
  await writes?.stop();
  for (const client of clients) await client[Symbol.asyncDispose]();
  await prometheus?.[Symbol.asyncDispose]();
  await form?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

function admin(): ApiClient {
  const [client] = clients;
  assert.ok(client);
  return client;
}

const encryptWith = (...keys: readonly Key[]) =>
  writeEncryptionFile(encryptionFile, [providerOf('aesgcm', ...keys), identity]);

const post = (path: string, body: object) => admin().request({ method: 'POST', path, body });

async function fires(context: TestContext, fault: Parameters<typeof assertFires>[2]): Promise<void> {
  await assertFires(context, prometheus, fault);
  for (const alert of fault.alerts) fired.add(alert);
}

/** Does something again and again until the end. */
function repeatedly(what: string, everyMs: number, work: () => Promise<unknown>): Injection {
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      await work().catch(() => {});
      await sleep(everyMs);
    }
  })();
  return createInjection(what, async () => {
    ending.abort();
    await running;
  });
}

const killAll = async (...names: string[]) => {
  const killed = await Promise.all(names.map(name => kill(form.process(name))));
  return createInjection(combineInjections(killed).what, async () => {
    // A broker alone is not ready: those that were killed together are started together.
    await Promise.all(killed.map(each => each.end()));
  });
};

/** Each fault, and the alerts that it makes fire. */
const faults: readonly (readonly [
  what: string,
  alerts: readonly string[],
  begin: () => Promise<Injection>,
])[] = [
  ['one of two pods is killed', ['ServiceDown', 'OnePodLeft'], () => killAll('webhook-dispatch-1')],
  [
    'both pods of a service are killed',
    ['ServiceMissing'],
    () => killAll('token-review-1', 'token-review-2'),
  ],
  ['both pods of storage are killed', ['NoStorageLeader'], () => killAll('storage-1', 'storage-2')],
  [
    'both controller managers are killed',
    ['NoControllerLeader'],
    () => killAll('controller-manager-1', 'controller-manager-2'),
  ],
  ['Redis is killed', ['TokenCacheDown'], () => killAll('redis-1')],
  [
    'a follower of etcd is killed',
    ['EtcdMemberAway'],
    async () => kill((await findEtcdLeader(form, dataDirectory)).others[0] ?? form.etcd),
  ],
  [
    'two members of etcd stand still',
    ['EtcdWithoutQuorum', 'StorageBackendFails', 'GatewayErrors', 'NoStorageLeader'],
    async () =>
      combineInjections(await Promise.all(['etcd-1', 'etcd-2'].map(name => freeze(form.process(name))))),
  ],
  [
    'the members of etcd are all cut off from each other',
    ['EtcdWithoutQuorum'],
    async () => {
      form.divide(['etcd-1'], ['etcd-2'], ['etcd-3']);
      return createInjection('cut off all members of etcd', () => form.divide());
    },
  ],
  [
    'the members of etcd have slow disks',
    ['EtcdSlow', 'SlowRequests'],
    async () =>
      combineInjections(
        form.etcdMembers.map(member => freezeInRhythm(member, { frozenMs: 700, runningMs: 60 })),
      ),
  ],
  ['a broker of Kafka is killed', ['KafkaBrokerAway'], () => killAll('kafka-3')],
  [
    // Of two the third would answer, and its answer names a controller at random: one of the dead or itself.
    'all brokers of Kafka are killed',
    ['KafkaAway', 'ChangeFeedDirect', 'ChangeFeedBehind'],
    () => killAll('kafka-1', 'kafka-2', 'kafka-3'),
  ],
  [
    'another program writes to the topic',
    ['FeedRecordsRefused'],
    async () => {
      const connection = await feedConnection(form, dataDirectory, 'storage');
      await using writer = await connectTopicWriter({ connection, topic: feedTopic });
      const record = { key: null, value: Buffer.from('from elsewhere'), timestamp: Date.now() };
      await writer.append([0, 1, 2].map(partition => ({ ...record, partition })));
      return createInjection('a record from elsewhere', () => {});
    },
  ],
  [
    'a gateway does not come to its work for a third of a second, again and again',
    ['EventLoopBlocked', 'EventLoopHeld'],
    async () => freezeInRhythm(form.process('gateway-1'), { frozenMs: 350, runningMs: 50 }),
  ],
  [
    'watches begin where history is gone',
    ['WatchesExpire'],
    async () =>
      repeatedly('old watches', 200, async () => {
        for await (const _ of admin().watch(
          `${secrets}?watch=1&resourceVersion=1`,
          AbortSignal.timeout(5000),
        ));
      }),
  ],
  [
    'storage has another secret for a key of encryption at rest',
    ['ValuesCannotBeDecrypted'],
    async () => {
      const restart = async (...keys: readonly Key[]): Promise<void> => {
        await encryptWith(...keys);
        for (const name of ['storage-1', 'storage-2']) await form.restartWith(name);
      };
      await post(secrets, { metadata: { name: 'encrypted' } });
      await restart('b', wrongKey('a'));
      const reading = repeatedly('reads of a Secret', 200, () =>
        admin()
          .request({ method: 'GET', path: `${secrets}/encrypted` })
          .catch(() => {}),
      );
      return createInjection(reading.what, async () => {
        await reading.end();
        await restart('b', 'a');
      });
    },
  ],
  [
    'a webhook that may fail does',
    ['WebhooksFailOpen'],
    async () => {
      const path = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
      const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] };
      await post(path, {
        metadata: { name: 'away' },
        webhooks: [
          {
            name: 'away.example.com',
            clientConfig: { url: 'https://127.0.0.1:1/' },
            ...{ rules: [rule], failurePolicy: 'Ignore', sideEffects: 'None', timeoutSeconds: 1 },
            admissionReviewVersions: ['v1'],
          },
        ],
      });
      return createInjection('a webhook that is away', async () => {
        await admin().request({ method: 'DELETE', path: `${path}/away` });
      });
    },
  ],
  [
    'an API is used that a later release will not have',
    ['DeprecatedApisRequested'],
    async () =>
      repeatedly('deprecated requests', 500, () =>
        admin().request({ method: 'GET', path: '/apis/storage.cluster.io/v1beta1/csistoragecapacities' }),
      ),
  ],
];

for (const [what, alerts, begin] of faults)
  test(`${alerts.join(', ')}: ${what}`, { skip, timeout }, async context => {
    await fires(context, { alerts, begin });
    await form.waitUntilReady();
  });

test('CertificateExpires, CertificateExpiresNow: a certificate ends tomorrow', {
  skip,
  timeout,
}, async context => {
  const files = join(directory.path, 'small');
  const issue = (days: number) => issueServingCertificate(files, days);
  issue(1);
  [account] = (await createAccounts(form, [form.gateways[0] ?? ''])) as [ClientConfiguration];
  const begin = async () => {
    small = await form.addGateway(
      ...[`--tls-cert-file=${files}.crt`, `--tls-private-key-file=${files}.key`],
      ...['--enable-priority-and-fairness=false', '--max-requests-inflight=1'],
      `--max-connections-per-address=${mostConnections}`,
    );
    prometheus.add({ service: 'gateway', port: small.operationsPort });
    return createInjection('a certificate for a day', async () => {
      issue(365);
      await small.process.restart();
    });
  };
  await fires(context, { alerts: ['CertificateExpires', 'CertificateExpiresNow'], begin });
});

test('RequestsTurnedAway: more requests at a time than a gateway may serve', {
  skip,
  timeout,
}, async context => {
  await using client = createApiClient({
    configuration: { ...account, servers: [small.url] },
    userAgent: 'alerts',
  });
  const list = () => client.request({ method: 'GET', path: secrets }).catch(() => {});
  await fires(context, {
    alerts: ['RequestsTurnedAway'],
    begin: async () =>
      repeatedly('lists at a time', 100, () => Promise.all(Array.from({ length: 10 }, list))),
  });
});

test('ConnectionsRefused: more connections than an address may have', { skip, timeout }, async context => {
  const { certificateAuthority: ca, token } = account;
  assert.ok(ca && token);
  await fires(context, {
    alerts: ['ConnectionsRefused'],
    begin: async () => {
      // Connections that do nothing make room for others: these are at work.
      const watches = Array.from({ length: mostConnections }, () =>
        get(`${small.url}${secrets}?watch=1`, {
          ...{ agent: false, ca },
          headers: { authorization: `Bearer ${token}` },
        }).on('error', () => {}),
      );
      const port = Number(new URL(small.url).port);
      const more = repeatedly('connections', 50, async () => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        socket.setTimeout(1000, () => socket.destroy());
        await once(socket.resume(), 'close');
      });
      return createInjection(more.what, async () => {
        for (const watch of watches) watch.destroy();
        await more.end();
      });
    },
  });
});

const maps = `/api/v1/namespaces/${namespace}/configmaps`;

/**
 * Writes an object of 900 KB anew: its history fills etcd, and the object itself does not. On a busy machine etcd may take longer than a
 * write may wait for its outcome.
 */
const writeLarge = (name: string, count: number) =>
  admin()
    .request({
      ...{ method: 'PATCH', path: `${maps}/${name}`, contentType: 'application/merge-patch+json' },
      body: { data: { text: String(count).padEnd(900_000, 'x') } },
    })
    .catch((thrown: unknown) => {
      if (!(thrown instanceof StatusError && thrown.code === 504)) throw thrown;
    });

/** Runs `binnaclectl store` until it succeeds: on a busy machine etcd does not answer each of them in time. */
const runStoreCommand = (command: string) =>
  pollUntil(`store ${command}`, async () => {
    const file = (name: string) => join(dataDirectory, 'pki/backends/etcd/administrator', name);
    await promisify(execFile)(process.execPath, [
      ...[join(root, 'clients/binnaclectl/main.ts'), 'store', command],
      `--etcd-endpoints=${form.etcdMembers.map(({ endpoint }) => endpoint).join(',')}`,
      ...[`--etcd-cafile=${file('ca.crt')}`, `--etcd-certfile=${file('tls.crt')}`],
      `--etcd-keyfile=${file('tls.key')}`,
    ]);
    return true;
  });

test('StoreFragmented: a burst of writes leaves the history', { skip, timeout }, async context => {
  // A busy machine writes no more in the short history window than a compaction frees, and etcd uses the free pages again.
  for (const pod of ['storage-1', 'storage-2']) await form.restartWith(pod, '--history-window=1h');
  await form.waitUntilReady();
  await post(maps, { metadata: { name: 'burst' } });
  const begin = async () => {
    // 38 MB: more than the alert needs, and less than StoreNearlyFull does.
    for (let count = 0; count < 42; count++) await writeLarge('burst', count);
    await runStoreCommand('compact');
    return createInjection('a fragmented etcd', () => runStoreCommand('defragment'));
  };
  await fires(context, { alerts: ['StoreFragmented'], begin });
});

test('StoreNearlyFull, StoreFull: etcd comes to its quota, with the long history', {
  skip,
  timeout,
}, async context => {
  const names = ['large-0', 'large-1', 'large-2', 'large-3'];
  for (const name of names) await post(maps, { metadata: { name } });
  let count = 0;
  const begin = async () => {
    // History alone fills it: what lives could not be deleted, since a deletion is written as well.
    const filling = names.map(name => repeatedly('large objects', 10, () => writeLarge(name, count++)));
    return createInjection('a full etcd', async () => {
      await combineInjections(filling).end();
      for (const command of ['compact', 'defragment', 'disarm']) await runStoreCommand(command);
    });
  };
  await fires(context, { alerts: ['StoreNearlyFull', 'StoreFull'], begin });
});

test('every alert has fired, and ended', { skip }, () => {
  const { groups } = parse(rules) as { groups: { rules: { alert: string }[] }[] };
  const names = groups.flatMap(group => group.rules.map(({ alert }) => alert));
  assert.deepEqual([...fired].sort(), names.sort());
});

/** A certificate of the API for as many days, with the authority of the form: at `<path>.crt`, its key at `<path>.key`. */
function issueServingCertificate(path: string, days: number): void {
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const pki = join(dataDirectory, 'pki');
  writeFileSync(`${path}.cnf`, 'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth\n');
  run(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=small',
    '-keyout',
    `${path}.key`,
    '-out',
    `${path}.csr`,
  );
  run(
    ...['x509', '-req', '-in', `${path}.csr`, '-CA', join(pki, 'ca.crt'), '-CAkey', join(pki, 'ca.key')],
    ...['-set_serial', String(days), '-days', String(days), '-extfile', `${path}.cnf`, '-out', `${path}.crt`],
  );
}
