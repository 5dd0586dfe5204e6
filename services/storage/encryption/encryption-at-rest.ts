import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isJsonObject } from '@binnacle/api-objects';
import { parseYaml } from '@binnacle/codecs/texts';
import type { Storage } from '@binnacle/storage-contract';
import { type Logger, type Metrics, RepeatedWarnings } from '@binnacle/telemetry';
import type { Transformer } from './ciphers/transformer.ts';
import { encryptedStorage } from './encrypted-storage.ts';
import {
  configuredTypes,
  type EncryptionConfiguration,
  type ProviderSettings,
  parseEncryptionConfiguration,
} from './encryption-configuration.ts';
import { createKeyedTransformer, identityTransformer, prefixOfProvider } from './keyed-transformer.ts';
import type { KmsProvider } from './kms/create-kms-transformer.ts';
import { KmsProviders } from './kms/kms-providers.ts';
import {
  createOrderedProviders,
  createTransformationMetrics,
  type Provider,
  type TransformationMetrics,
} from './ordered-providers.ts';
import type { ConfiguredTypes } from './stored-prefix.ts';

/** An EncryptionConfiguration that was read and can be used. */
export interface EncryptionSettings {
  readonly file: string;
  readonly configuration: EncryptionConfiguration;
  /** The types of the configuration, with what can be read of them. */
  readonly types: ConfiguredTypes;
  /** SHA-256 of the file, which shows whether it changes. */
  readonly digest: string;
  /** Whether other users of the machine may read the file. */
  readonly isShared: boolean;
  /** Whether values of encrypted types may leave this process: the change feed, if there is one, has keys. */
  readonly hasEncryptedFeed: boolean;
  /** Whether the file is read again when it changes. */
  readonly reloads: boolean;
  /** Whether the feature gate KMSv2 is enabled. */
  readonly hasKmsV2: boolean;
}

const maxFileBytes = 1024 * 1024;
const readableByOthers = 0o077;

/** Reads an EncryptionConfiguration file, and checks that what it encrypts is not published in plaintext. */
export async function readEncryptionSettings({
  file,
  hasEncryptedFeed,
  reloads,
  hasKmsV2,
}: Pick<
  EncryptionSettings,
  'file' | 'hasEncryptedFeed' | 'reloads' | 'hasKmsV2'
>): Promise<EncryptionSettings> {
  await using handle = await open(file);
  const { size, mode } = await handle.stat();
  if (size > maxFileBytes) throw new Error(`it has ${size} bytes, more than ${maxFileBytes}`);
  const bytes = await handle.readFile();
  const { value, duplicates } = await parseYaml(bytes);
  if (!isJsonObject(value)) throw new Error('it does not hold an object');
  const [duplicate] = duplicates();
  if (duplicate !== undefined) throw new Error(duplicate);
  const configuration = parseEncryptionConfiguration(value, { reloads, hasKmsV2 });
  const types = configuredTypes(configuration);
  if (!hasEncryptedFeed && types.encrypted.length > 0)
    throw new Error(
      'the change feed in Kafka would have the encrypted values in plaintext: set --feed-key-file for storage and all readers of the feed',
    );
  const digest = createHash('sha256').update(bytes).digest('hex');
  const isShared = (mode & readableByOthers) !== 0;
  return {
    file,
    configuration,
    ...{ types, digest, isShared, hasEncryptedFeed, reloads, hasKmsV2 },
  };
}

/** Options of encryption at rest. */
export interface EncryptionOptions {
  readonly storage: Storage;
  readonly settings: EncryptionSettings;
  /** Called with the types of a changed file, before the first value is encrypted; where it fails, the file is not used yet. */
  readonly beforeTypes: (types: ConfiguredTypes) => Promise<void>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds between two checks of the file. */
  readonly everyMs?: number;
}

/** A store whose values are encrypted, until it is disposed of, with the keys that the file has. */
interface EncryptionAtRest extends AsyncDisposable {
  readonly storage: Storage;
  /** Rejects with a Refusal if a KMS plugin does not work. */
  checkKmsProviders(): Promise<void>;
}

/** Encrypts values of a store, and follows the configuration file. */
export function encryptAtRest(options: EncryptionOptions): EncryptionAtRest {
  const { settings, log } = options;
  const metrics = createTransformationMetrics(options.metrics);
  const warnings = new RepeatedWarnings(log);
  const kms = new KmsProviders({ log, metrics: options.metrics });
  let transformers = createTransformers(settings.configuration, { metrics, log, kms });
  noteSettings(settings, log);
  const storage = encryptedStorage({
    storage: options.storage,
    transformerOf: typePrefix => transformers.get(typePrefix),
    onUnreadable: (key, reason) =>
      warnings.warn('a stored value cannot be decrypted', key, { key, error: reason }),
  });
  const following = settings.reloads
    ? followFile(options, async read => {
        await options.beforeTypes(read.types);
        const { configuration } = read;
        transformers = createTransformers(configuration, { metrics, log, kms });
        kms.keep(kmsProvidersOf(configuration));
      })
    : undefined;
  return {
    storage,
    checkKmsProviders: () => kms.checkHealth(),
    async [Symbol.asyncDispose]() {
      following?.[Symbol.dispose]();
      await kms[Symbol.asyncDispose]();
    },
  };
}

function noteSettings(
  { file, configuration, types: { encrypted: types }, isShared }: EncryptionSettings,
  log: Logger,
): void {
  const { customResources } = configuration;
  log.info('encryption at rest', { file, types, ...(customResources.length > 0 && { customResources }) });
  if (isShared) log.warn('other users may read the file with encryption keys', { file });
}

/** Values after which a key of aesgcm should be replaced: the nonces are random (Kubernetes, "Encrypting Confidential Data at Rest"). */
const mostGcmValues = 200_000;

function kmsProvidersOf({ types }: EncryptionConfiguration): KmsProvider[] {
  return [...types.values()].flat().flatMap(each => (each.kind === 'kms' ? [each.provider] : []));
}

/** Services of transformers. */
interface TransformerServices {
  readonly metrics: TransformationMetrics;
  readonly log: Logger;
  readonly kms: KmsProviders;
}

function createTransformers(
  { types }: EncryptionConfiguration,
  { metrics, log, kms }: TransformerServices,
): ReadonlyMap<string, Transformer> {
  // Types of one entry share its providers, and so the counts of their keys.
  const made = new Map<ProviderSettings, Provider>();
  const provider = (settings: ProviderSettings): Provider => {
    const found = made.get(settings) ?? providerFrom(settings, log, kms);
    made.set(settings, found);
    return found;
  };
  return new Map(
    [...types].map(([prefix, settings]) => [prefix, createOrderedProviders(settings.map(provider), metrics)]),
  );
}

function providerFrom(settings: ProviderSettings, log: Logger, kms: KmsProviders): Provider {
  if (settings.kind === 'identity') return { prefix: '', transformer: identityTransformer };
  if (settings.kind === 'kms') {
    const transformer = kms.find(settings.provider);
    return { prefix: transformer.prefix, transformer };
  }
  const { kind, keys } = settings;
  const transformer = createKeyedTransformer(kind, keys);
  const prefix = prefixOfProvider(kind);
  if (kind !== 'aesgcm') return { prefix, transformer };
  let values = 0;
  const encrypt: Transformer['encrypt'] = (value, key) => {
    if (++values === mostGcmValues)
      log.warn('this process encrypted many values with one key of aesgcm, replace the key', {
        key: keys[0]?.name,
        values,
      });
    return transformer.encrypt(value, key);
  };
  return { prefix, transformer: { ...transformer, encrypt } };
}

const defaultEveryMs = 10_000;

/** Reads the file whenever it changes; a file that cannot be used is logged once and changes nothing. */
function followFile(
  { settings, log, metrics, everyMs = defaultEveryMs }: EncryptionOptions,
  onRead: (settings: EncryptionSettings) => Promise<void>,
): Disposable {
  const prefix = 'apiserver_encryption_config_controller_automatic_reload';
  const counters = {
    success: metrics.counter({
      name: `${prefix}_success_total`,
      help: 'Changed encryption configurations that were applied.',
    }),
    failure: metrics.counter({
      name: `${prefix}_failures_total`,
      help: 'Changed encryption configurations that cannot be used: the one before stays.',
    }),
  };
  const lastTime = metrics.gauge({
    name: `${prefix}_last_timestamp_seconds`,
    help: 'Time of the last change of the encryption configuration, in seconds since 1970, by its result.',
    labelNames: ['status'],
  });
  const note = (status: 'success' | 'failure'): void => {
    counters[status].labels().inc();
    lastTime.labels(status).set(Date.now() / 1000);
  };
  let { digest } = settings;
  let complaint = '';
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const read = await readEncryptionSettings(settings);
      if (read.digest !== digest) {
        await onRead(read);
        digest = read.digest;
        note('success');
        noteSettings(read, log);
      }
      complaint = '';
    } catch (error) {
      const text = String(error);
      if (text === complaint) return;
      complaint = text;
      note('failure');
      log.error('cannot use the new encryption configuration, keeping the old one', { error: text });
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
