import { join } from 'node:path';
import {
  type ClientTls,
  type FollowedFiles,
  followClientTls,
  readSecretFile,
} from '@binnacle/backend-access';
import {
  booleanFlag,
  changeFeedFlag,
  choiceFlag,
  FlagError,
  type FlagValues,
  flagGroup,
  integerFlag,
  listFlag,
  portFlag,
  readFlagFile,
  serviceFlags,
  stringFlag,
  tracingFlags,
} from '@binnacle/flags';
import { kafkaFlags, kafkaFromFlags } from '@binnacle/service-kit';
import { errorMessage } from '@binnacle/status-errors';
import { defaultBatchLimits } from './backends/etcd/batch.ts';
import type { EtcdOptions } from './backends/etcd/etcd-options.ts';
import type { EncryptionSettings } from './encryption/encryption-at-rest.ts';
import { leaderFlags } from './leader-election/leader-flags.ts';
import { defaultQuotaBytes } from './space/space-watch.ts';
import type { StorageServiceOptions } from './storage-service.ts';

/** The flags that choose the store and its connection. */
export const storeFlags = flagGroup('Store', {
  backend: choiceFlag(['etcd', 'embedded'], {
    description: 'Store of all objects: etcd, or a file in --data-dir (embedded).',
    default: 'etcd',
  }),
  etcdEndpoints: listFlag({ description: 'URLs of the etcd members.', default: ['http://127.0.0.1:2379'] }),
  etcdPrefix: stringFlag({ description: 'Prefix of every key in etcd.', default: '/binnacle' }),
  etcdMaxTxnOps: integerFlag({
    description: 'Operations that etcd accepts in one transaction: its flag --max-txn-ops.',
    default: defaultBatchLimits.operations,
    min: 16,
  }),
  etcdMaxRequestBytes: integerFlag({
    description: 'Bytes that etcd accepts in one request: its flag --max-request-bytes.',
    default: defaultBatchLimits.bytes,
    min: 262_144,
  }),
  etcdCafile: stringFlag({
    description: 'PEM file of the certificate authority of etcd; makes connections TLS.',
  }),
  etcdCertfile: stringFlag({
    description:
      'PEM file of the client certificate for etcd; its common name is the user unless one is named.',
  }),
  etcdKeyfile: stringFlag({ description: 'PEM file of the key of that certificate.' }),
  etcdUsername: stringFlag({ description: 'User of etcd; only over TLS, with --etcd-password-file.' }),
  etcdPasswordFile: stringFlag({
    description: 'File with the password of that user, read again for each authentication.',
  }),
  dataDir: stringFlag({ description: 'Directory that holds the embedded store.', default: '.binnacle' }),
});

/** The flags of encryption at rest. */
export const encryptionFlags = flagGroup('Encryption at rest', {
  encryptionProviderConfig: stringFlag({
    description:
      'EncryptionConfiguration file: the resources whose values the store has encrypted, and the keys.',
  }),
  encryptionProviderConfigAutomaticReload: booleanFlag({
    description: 'Whether a change of that file counts without a restart, within ten seconds.',
  }),
});

/** The flags of storage. */
export const storageFlags = flagGroup('Calls', {
  ...serviceFlags,
  ...tracingFlags,
  ...storeFlags,
  etcdQuotaBackendBytes: integerFlag({
    description: 'Size of its database at which etcd stops accepting writes: its flag --quota-backend-bytes.',
    default: defaultQuotaBytes,
    min: 1,
  }),
  host: stringFlag({ description: 'Address that calls are served on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port that calls are served on.', default: 7001 }),
  ...leaderFlags,
  ...encryptionFlags,
  changeFeed: changeFeedFlag('Path of changes to readers: published to Kafka, or read from this service.'),
  ...kafkaFlags,
  kafkaPartitions: integerFlag({
    description: 'Partitions of the topic, set when it is created.',
    default: 8,
    min: 1,
    max: 1024,
  }),
  kafkaReplicationFactor: integerFlag({
    description: 'Replicas of each record, set when the topic is created.',
    default: 1,
    min: 1,
    max: 32767,
  }),
  kafkaMinInsyncReplicas: integerFlag({
    description:
      'Replicas that must have a record before it is acknowledged, set when the topic is created; default: the setting of the brokers.',
    min: 1,
    max: 32767,
  }),
});

/** The values of the flags of storage. */
type StorageFlags = FlagValues<typeof storageFlags>;

/**
 * Creates the options of the service from its flags and the files that they name, and follows `files`; throws a FlagError for flags that contradict
 * each other.
 */
export async function serviceOptionsFrom(
  values: StorageFlags,
  files?: FollowedFiles,
): Promise<Omit<StorageServiceOptions, 'log' | 'metrics'>> {
  const kafka = values.changeFeed === 'kafka' ? await kafkaOptionsFrom(values, files) : undefined;
  const hasEncryptedFeed = kafka === undefined || kafka.encryption?.keys !== undefined;
  const encryption = await encryptionFromFlags(values, hasEncryptedFeed);
  return {
    backend: await backendFrom(values, files),
    etcdQuotaBytes: values.etcdQuotaBackendBytes,
    historyWindow: values.historyWindow,
    leaderLease: values.leaderLease,
    ...(kafka && { kafka }),
    ...(encryption && { encryption }),
  };
}

/**
 * Reads the encryption configuration that flags name; undefined: nothing is encrypted. `hasEncryptedFeed` says that there is no change
 * feed outside this process, or that it has keys. Throws a FlagError for a file that cannot be used.
 */
export async function encryptionFromFlags(
  values: FlagValues<typeof encryptionFlags> & Pick<FlagValues<typeof serviceFlags>, 'featureGates'>,
  hasEncryptedFeed: boolean,
): Promise<EncryptionSettings | undefined> {
  const { encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: reloads } = values;
  if (file === undefined || file === '') {
    if (reloads)
      throw new FlagError('--encryption-provider-config-automatic-reload needs --encryption-provider-config');
    return undefined;
  }
  const hasKmsV2 = values.featureGates.isEnabled('KMSv2');
  // Loaded where it is needed: it needs the types of the API.
  const { readEncryptionSettings } = await import('./encryption/encryption-at-rest.ts');
  return await readFlagFile('encryptionProviderConfig', file, () =>
    readEncryptionSettings({ file, hasEncryptedFeed, reloads, hasKmsV2 }),
  );
}

async function kafkaOptionsFrom(
  values: StorageFlags,
  files: FollowedFiles | undefined,
): Promise<StorageServiceOptions['kafka'] & object> {
  const { kafkaPartitions: partitions, kafkaReplicationFactor: replicationFactor } = values;
  const { kafkaMinInsyncReplicas: minInSyncReplicas } = values;
  if (minInSyncReplicas !== undefined && minInSyncReplicas > replicationFactor)
    throw new FlagError('--kafka-min-insync-replicas must not be more than --kafka-replication-factor');
  const access = await kafkaFromFlags(values, { clientId: 'binnacle-storage' }, files);
  return {
    ...access,
    partitions,
    replicationFactor,
    ...(minInSyncReplicas === undefined ? {} : { minInSyncReplicas }),
  };
}

/**
 * Creates the settings of the backend from flags and the files that they name; throws a FlagError for flags that contradict each
 * other.
 */
export async function backendFrom(
  values: FlagValues<typeof storeFlags>,
  files?: FollowedFiles,
): Promise<StorageServiceOptions['backend']> {
  if (values.backend === 'embedded') return { kind: 'embedded', directory: join(values.dataDir, 'store') };
  if (!/^\/.*[^/]$/.test(values.etcdPrefix)) {
    throw new FlagError('--etcd-prefix must begin with a slash and not end with one');
  }
  const listeners: (() => void)[] = [];
  const tls = await etcdTlsFrom(values, files, () => {
    for (const listener of listeners) listener();
  });
  const user = await etcdUserFrom(values);
  const etcd = {
    endpoints: values.etcdEndpoints,
    prefix: values.etcdPrefix,
    batchLimits: { operations: values.etcdMaxTxnOps, bytes: values.etcdMaxRequestBytes },
    ...(tls && { tls, onTlsChange: (listener: () => void) => void listeners.push(listener) }),
    ...(user === undefined ? {} : { user }),
  };
  return { kind: 'etcd', etcd };
}

async function etcdTlsFrom(
  values: FlagValues<typeof storeFlags>,
  files: FollowedFiles | undefined,
  onChange: () => void,
): Promise<ClientTls | undefined> {
  const { etcdCafile: caFile, etcdCertfile: certFile, etcdKeyfile: keyFile, etcdEndpoints } = values;
  const secure = etcdEndpoints.filter(endpoint => endpoint.startsWith('https:'));
  if (secure.length > 0 && caFile === undefined) throw new FlagError('TLS to etcd needs --etcd-cafile');
  const names = { caFile, certFile, keyFile };
  const tls = await followClientTls('etcd', names, { files, onChange }).catch((cause: unknown) => {
    throw new FlagError(errorMessage(cause));
  });
  if (tls !== undefined && secure.length < etcdEndpoints.length)
    throw new FlagError('--etcd-cafile needs --etcd-endpoints that begin with https://');
  return tls;
}

async function etcdUserFrom(values: FlagValues<typeof storeFlags>): Promise<EtcdOptions['user']> {
  const { etcdUsername: name, etcdPasswordFile: passwordFile } = values;
  if (name === undefined && passwordFile === undefined) return undefined;
  if (name === undefined || passwordFile === undefined)
    throw new FlagError('--etcd-username and --etcd-password-file must be given together');
  if (values.etcdCafile === undefined)
    throw new FlagError('--etcd-username needs TLS to etcd: the password would be sent in plaintext');
  await readSecretFile(passwordFile).catch((cause: unknown) => {
    throw new FlagError(`--etcd-password-file: ${errorMessage(cause)}`);
  });
  return { name, passwordFile };
}
