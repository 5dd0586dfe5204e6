import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  choiceFlag,
  durationFlag,
  FlagError,
  type FlagValues,
  integerFlag,
  listFlag,
  loadTls,
  parseFlags,
  portFlag,
  serviceFlags,
  stringFlag,
  type TransportSecurity,
} from '@binnacle/service-kit';
import type { EtcdOptions } from './backends/etcd/connection.ts';
import type { StorageServiceOptions } from './storage-service.ts';

const flags = {
  ...serviceFlags,
  backend: choiceFlag(['etcd', 'embedded'], { description: 'Where the state lies.', default: 'etcd' }),
  etcdEndpoints: listFlag({ description: 'URLs of the etcd members.', default: ['http://127.0.0.1:2379'] }),
  etcdPrefix: stringFlag({ description: 'What every key in etcd begins with.', default: '/binnacle' }),
  etcdCafile: stringFlag({ description: 'Certificate authority of etcd; makes connections TLS.' }),
  etcdCertfile: stringFlag({ description: 'Certificate that etcd is shown.' }),
  etcdKeyfile: stringFlag({ description: 'Key of that certificate.' }),
  dataDir: stringFlag({ description: 'Directory that holds the embedded store.', default: '.binnacle' }),
  host: stringFlag({ description: 'Address that calls are served on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port that calls are served on.', default: 7001 }),
  historyWindow: durationFlag({
    description: 'How long earlier states can be read and changes caught up with.',
    default: 300_000,
    min: 1000,
  }),
  changeFeed: choiceFlag(['kafka', 'direct'], {
    description: 'Whether changes are published to Kafka, or readers follow this service.',
    default: 'direct',
  }),
  kafkaBrokers: listFlag({ description: 'host:port of Kafka brokers.', default: ['127.0.0.1:9092'] }),
  kafkaTopic: stringFlag({ description: 'Topic of the change feed.', default: 'binnacle-changes' }),
  kafkaPartitions: integerFlag({
    description: 'Partitions that the topic is made with.',
    default: 8,
    min: 1,
    max: 1024,
  }),
  kafkaReplicationFactor: integerFlag({
    description: 'Copies of each record.',
    default: 1,
    min: 1,
    max: 32767,
  }),
  leaderLease: durationFlag({
    description: 'Time after which a leader that is not heard of is replaced.',
    default: 6000,
    min: 2000,
  }),
};

type Flags = FlagValues<typeof flags>;

/** What the storage service is told at its start. */
export interface StorageConfig {
  readonly service: Omit<StorageServiceOptions, 'log' | 'metrics'>;
  readonly server: TransportSecurity & { readonly host: string; readonly port: number };
  readonly operations: { readonly host: string; readonly port: number };
  readonly log: { readonly level: Flags['logLevel']; readonly format: Flags['logFormat'] };
}

/** Reads the flags and the files that they name; throws a FlagError for what does not fit together. */
export async function readConfig(
  argv: readonly string[] = process.argv.slice(2),
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<StorageConfig> {
  const values = parseFlags(flags, argv, env);
  const { kafkaBrokers: brokers, kafkaTopic: topic, kafkaPartitions: partitions } = values;
  const kafka = { brokers, topic, partitions, replicationFactor: values.kafkaReplicationFactor };
  return {
    service: {
      backend: await backendFrom(values),
      historyWindowMs: values.historyWindow,
      leaderLeaseSeconds: Math.ceil(values.leaderLease / 1000),
      ...(values.changeFeed === 'kafka' ? { kafka } : {}),
    },
    server: { ...(await securityFrom(values)), host: values.host, port: values.port },
    operations: { host: values.operationsHost, port: values.operationsPort },
    log: { level: values.logLevel, format: values.logFormat },
  };
}

async function backendFrom(values: Flags): Promise<StorageServiceOptions['backend']> {
  if (values.backend === 'embedded') return { kind: 'embedded', directory: join(values.dataDir, 'store') };
  if (!/^\/.*[^/]$/.test(values.etcdPrefix)) {
    throw new FlagError('--etcd-prefix must begin with a slash and not end with one');
  }
  const tls = await etcdTlsFrom(values);
  const etcd = {
    endpoints: values.etcdEndpoints,
    prefix: values.etcdPrefix,
    ...(tls === undefined ? {} : { tls }),
  };
  return { kind: 'etcd', etcd };
}

async function etcdTlsFrom(values: Flags): Promise<EtcdOptions['tls']> {
  const { etcdCafile, etcdCertfile, etcdKeyfile } = values;
  const secure = values.etcdEndpoints.some(endpoint => endpoint.startsWith('https:'));
  if (etcdCafile === undefined) {
    if (secure || etcdCertfile !== undefined || etcdKeyfile !== undefined) {
      throw new FlagError('TLS to etcd needs --etcd-cafile');
    }
    return undefined;
  }
  if ((etcdCertfile === undefined) !== (etcdKeyfile === undefined)) {
    throw new FlagError('--etcd-certfile and --etcd-keyfile go together');
  }
  return {
    ca: await readFile(etcdCafile),
    ...(etcdCertfile === undefined ? {} : { certificate: await readFile(etcdCertfile) }),
    ...(etcdKeyfile === undefined ? {} : { key: await readFile(etcdKeyfile) }),
  };
}

async function securityFrom(values: Flags): Promise<TransportSecurity> {
  if (values.insecure) {
    if (values.tlsDir !== undefined) throw new FlagError('--tls-dir and --insecure exclude each other');
    return { insecure: true };
  }
  if (values.tlsDir === undefined) throw new FlagError('either --tls-dir or --insecure is needed');
  return { tls: await loadTls(values.tlsDir) };
}
