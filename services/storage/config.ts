import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  choiceFlag,
  durationFlag,
  FlagError,
  type FlagValues,
  integerFlag,
  kafkaFlags,
  kafkaFromFlags,
  listFlag,
  portFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/service-kit';
import type { EtcdOptions } from './backends/etcd/connection.ts';
import type { StorageServiceOptions } from './storage-service.ts';

/** The flags of storage. */
export const storageFlags = {
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
  ...kafkaFlags,
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

/** Their values. */
export type StorageFlags = FlagValues<typeof storageFlags>;

/** What flags, and the files that they name, make of the service; throws a FlagError for what does not fit together. */
export async function serviceOptionsFrom(
  values: StorageFlags,
): Promise<Omit<StorageServiceOptions, 'log' | 'metrics'>> {
  return {
    backend: await backendFrom(values),
    historyWindowMs: values.historyWindow,
    leaderLeaseSeconds: Math.ceil(values.leaderLease / 1000),
    ...(values.changeFeed === 'kafka' ? { kafka: await kafkaOptionsFrom(values) } : {}),
  };
}

async function kafkaOptionsFrom(values: StorageFlags): Promise<StorageServiceOptions['kafka'] & object> {
  const { kafkaPartitions: partitions, kafkaReplicationFactor: replicationFactor } = values;
  const access = await kafkaFromFlags(values, { clientId: 'binnacle-storage' });
  return { ...access, partitions, replicationFactor };
}

async function backendFrom(values: StorageFlags): Promise<StorageServiceOptions['backend']> {
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

async function etcdTlsFrom(values: StorageFlags): Promise<EtcdOptions['tls']> {
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
