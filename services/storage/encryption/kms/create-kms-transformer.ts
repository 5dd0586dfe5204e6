import { Refusal } from '@binnacle/backend-access';
import { within } from '@binnacle/event-loop';
import { FailureLog, type Logger, type Metrics } from '@binnacle/telemetry';
import type { Transformer } from '../ciphers/transformer.ts';
import type { HealthIntervals } from './cached-check.ts';
import { DataKeys } from './data-keys.ts';
import { createEnvelopeV1 } from './envelope-v1.ts';
import { createEnvelopeV2 } from './envelope-v2.ts';
import { KmsConnection } from './kms-connection.ts';
import { KmsError } from './kms-error.ts';

/** The configuration of a provider `kms`. */
export interface KmsProvider {
  readonly name: string;
  readonly apiVersion: 'v1' | 'v2';
  /** `unix:///run/kms.sock`, or `unix:///@kms` for a socket of the abstract namespace. */
  readonly endpoint: string;
  /** Number of decrypted data keys that are kept in memory; below 0, none are. Default: 1,000. */
  readonly cachesize?: number;
  /** Time within which the plugin must answer a call, in ms; default: 3,000. */
  readonly timeout?: number;
}

/** Services of a KMS transformer. */
interface KmsTransformerServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds for which the health of the plugin counts: good, and failed. Default: 20,000 and 3,000. */
  readonly healthIntervals?: HealthIntervals;
}

/**
 * Encrypts values with keys that a KMS plugin encrypts: the values carry the data key that they are encrypted with, in a form that only
 * the plugin decrypts.
 *
 * Values begin with `prefix`. Nothing is ever stored in plaintext: when the plugin fails, so does the write, with a KmsError. Its
 * disposal waits for calls under way; the owner disposes it when nothing is encrypted or decrypted with it any more.
 */
export interface KmsTransformer extends Transformer, AsyncDisposable {
  /** `k8s:enc:kms:v1:<name>:` */
  readonly prefix: string;
  /** Rejects with a Refusal, whose message says why, if the plugin does not work; answers are kept for some seconds. */
  checkHealth(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Returns the prefix of the values of a KMS plugin. */
export const prefixOfKms = ({ name, apiVersion }: Pick<KmsProvider, 'name' | 'apiVersion'>): string =>
  `k8s:enc:kms:${apiVersion}:${name}:`;

const usualHealthIntervals = { goodMs: 20_000, failedMs: 3000 };

/** Creates the transformer of a provider. It connects when it is needed; the plugin may start later. */
export function createKmsTransformer(
  provider: KmsProvider,
  services: KmsTransformerServices,
): KmsTransformer {
  const { name, apiVersion, endpoint, cachesize = 1000, timeout: timeoutMs = 3000 } = provider;
  const { metrics, healthIntervals: intervals = usualHealthIntervals } = services;
  const log = services.log.child({ component: 'kms', provider: name });
  const connection = new KmsConnection({ name, endpoint, timeoutMs, metrics });
  const keys = new DataKeys({ name, cachesize, metrics });
  const failures = new FailureLog({
    log,
    failed: 'KMS plugin is not healthy',
    worked: 'KMS plugin is healthy',
  });
  const parts = { name, connection, keys, intervals, failures };
  const closing = new AbortController();
  const envelope =
    apiVersion === 'v1'
      ? createEnvelopeV1(parts)
      : createEnvelopeV2({ ...parts, log, metrics }, closing.signal);
  const arrivals = createArrivals(metrics);
  const prefix = prefixOfKms(provider);
  const prefixBytes = Buffer.from(prefix);
  const withPrefix = (encrypted: Uint8Array): Uint8Array => Buffer.concat([prefixBytes, encrypted]);
  return {
    prefix,
    encrypt(value, key) {
      arrivals.toStorage();
      const encrypted = envelope.encrypt(value, key);
      return encrypted instanceof Promise ? encrypted.then(withPrefix) : withPrefix(encrypted);
    },
    decrypt(stored, key) {
      arrivals.fromStorage();
      if (!prefixBytes.equals(stored.subarray(0, prefixBytes.length)))
        throw new Error(`the value does not begin with ${prefix}`);
      return envelope.decrypt(stored.subarray(prefixBytes.length), key);
    },
    checkHealth: () => refuseIfUnhealthy(name, envelope.checkHealth()),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await connection.close();
    },
  };
}

/** Milliseconds that a health check waits for the plugin: less than the checks of a process may take. */
const longestCheckMs = 1500;

function refuseIfUnhealthy(name: string, health: Promise<void>): Promise<void> {
  const late = () => {
    throw new Refusal(`KMS plugin "${name}" has not answered yet`);
  };
  return within(health, longestCheckMs, late).catch((thrown: unknown) => {
    throw thrown instanceof KmsError ? new Refusal(thrown.message, { cause: thrown }) : thrown;
  });
}

/** Records the times between values that are encrypted, and between those that are decrypted. */
interface Arrivals {
  toStorage(): void;
  fromStorage(): void;
}

/** Creates the metric of kube-apiserver for the times between values. */
function createArrivals(metrics: Metrics): Arrivals {
  const histogram = metrics.histogram({
    name: 'apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds',
    help: 'Time between two values that are encrypted or decrypted with data keys.',
    labelNames: ['transformation_type'],
    buckets: Array.from({ length: 10 }, (_, power) => 60 * 2 ** power),
  });
  const recorder = (type: string): (() => void) => {
    const child = histogram.labels(type);
    let last = performance.now();
    return () => {
      const now = performance.now();
      child.observe((now - last) / 1000);
      last = now;
    };
  };
  return { toStorage: recorder('to_storage'), fromStorage: recorder('from_storage') };
}
