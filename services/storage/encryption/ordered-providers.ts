import type { StorageKey } from '@binnacle/storage-contract';
import type { CounterChild, HistogramChild, Metrics } from '@binnacle/telemetry';
import type { Decrypted, Transformer } from './ciphers/transformer.ts';
import { beginsWith } from './stored-prefix.ts';

/** A transformer, and the prefix of its values. */
export interface Provider {
  /** `k8s:enc:aesgcm:v1:`; empty for values in plaintext. */
  readonly prefix: string;
  readonly transformer: Transformer;
}

/** Records transformations under the names of kube-apiserver's metrics. */
export interface TransformationMetrics {
  /** Records one transformation; `startedAt` is a time of `performance.now`. */
  note(type: 'to_storage' | 'from_storage', prefix: string, startedAt: number, isOk: boolean): void;
}

/** Creates the metrics of transformations. */
export function createTransformationMetrics(metrics: Metrics): TransformationMetrics {
  const operations = metrics.counter({
    name: 'apiserver_storage_transformation_operations_total',
    help: 'Values that were encrypted or decrypted, by the prefix of their provider; a status other than OK is a failure.',
    labelNames: ['transformation_type', 'transformer_prefix', 'status'],
  });
  const durations = metrics.histogram({
    name: 'apiserver_storage_transformation_duration_seconds',
    help: 'Duration of encrypting or decrypting one value.',
    labelNames: ['transformation_type', 'transformer_prefix'],
    buckets: transformationBuckets,
  });
  const children = new Map<string, { readonly count: CounterChild; readonly duration: HistogramChild }>();
  return {
    note(type, prefix, startedAt, isOk) {
      const id = `${type}${prefix}${isOk}`;
      let child = children.get(id);
      if (child === undefined) {
        const label = prefix === '' ? 'identity' : prefix;
        child = {
          count: operations.labels(type, label, isOk ? 'OK' : 'Unknown'),
          duration: durations.labels(type, label),
        };
        children.set(id, child);
      }
      child.count.inc();
      if (isOk) child.duration.observe((performance.now() - startedAt) / 1000);
    },
  };
}

/** From 5 µs, a value in this process, to 84 s, a key service that does not answer. */
const transformationBuckets = Array.from({ length: 25 }, (_, power) => 5e-6 * 2 ** power);

/**
 * Joins the providers of a resource: the first one encrypts, and the prefix of a value selects those that may decrypt it, in their
 * order. A value of a later provider is stale.
 */
export function createOrderedProviders(
  providers: readonly Provider[],
  metrics: TransformationMetrics,
): Transformer {
  const candidates = providers.map(({ prefix, transformer }) => ({
    prefix,
    bytes: Buffer.from(prefix),
    transformer,
  }));
  const [first] = candidates;
  if (first === undefined) throw new Error('a resource has no provider');

  function decryptFrom(
    start: number,
    { stored, key }: { readonly stored: Uint8Array; readonly key: StorageKey },
    failures: readonly unknown[],
  ): Decrypted | Promise<Decrypted> {
    const position = candidates.findIndex(({ bytes }, index) => index >= start && beginsWith(stored, bytes));
    const candidate = candidates[position];
    if (candidate === undefined) {
      if (failures.length === 0) metrics.note('from_storage', 'unknown', 0, false);
      throw failures[0] ?? new Error('no matching prefix found');
    }
    const { prefix, transformer } = candidate;
    const startedAt = performance.now();
    const done = ({ value, isStale }: Decrypted): Decrypted => {
      metrics.note('from_storage', prefix, startedAt, true);
      return { value, isStale: isStale || position > 0 };
    };
    const failed = (thrown: unknown): Decrypted | Promise<Decrypted> => {
      // Plaintext may come before the provider of encrypted values, while encryption is switched off.
      if (prefix === '') return decryptFrom(position + 1, { stored, key }, failures);
      metrics.note('from_storage', prefix, startedAt, false);
      return decryptFrom(position + 1, { stored, key }, [...failures, thrown]);
    };
    let decrypting: Decrypted | Promise<Decrypted>;
    try {
      decrypting = transformer.decrypt(stored, key);
    } catch (thrown) {
      return failed(thrown);
    }
    return decrypting instanceof Promise ? decrypting.then(done, failed) : done(decrypting);
  }

  return {
    encrypt(value, key) {
      const startedAt = performance.now();
      const done = (stored: Uint8Array): Uint8Array => {
        metrics.note('to_storage', first.prefix, startedAt, true);
        return stored;
      };
      const failed = (thrown: unknown): never => {
        metrics.note('to_storage', first.prefix, startedAt, false);
        throw thrown;
      };
      let encrypting: Uint8Array | Promise<Uint8Array>;
      try {
        encrypting = first.transformer.encrypt(value, key);
      } catch (thrown) {
        return failed(thrown);
      }
      return encrypting instanceof Promise ? encrypting.then(done, failed) : done(encrypting);
    },
    decrypt: (stored, key) => decryptFrom(0, { stored, key }, []),
  };
}
