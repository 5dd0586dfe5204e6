import { createHash, randomBytes } from 'node:crypto';
import { BoundedMap } from '@binnacle/event-loop';
import type { CounterChild, GaugeChild, HistogramChild, Metrics } from '@binnacle/telemetry';
import { type Cipher, localCiphers } from '../ciphers/local-ciphers.ts';
import { KmsError } from './kms-error.ts';

/** AES-256. */
const dataKeyBytes = 32;

/** A new data key, and its bytes, which the plugin encrypts. */
interface NewDataKey {
  readonly bytes: Buffer;
  readonly cipher: Cipher;
}

/** Options of data keys. */
interface DataKeysOptions {
  /** Name of the provider in the configuration. */
  readonly name: string;
  /** Number of decrypted keys that are kept; below 1, none are. */
  readonly cachesize: number;
  readonly metrics: Metrics;
}

/**
 * The data keys of a provider: each encrypts values with AES-GCM, and is stored, encrypted by the plugin, beside them. Keys that were
 * used last are kept in memory. Concurrent reads of one key share one call of the plugin.
 */
export class DataKeys {
  readonly #name: string;
  readonly #cachesize: number;
  readonly #cache: BoundedMap<string, Cipher> | undefined;
  readonly #opening = new Map<string, Promise<Cipher>>();
  readonly #fill: GaugeChild;
  readonly #misses: CounterChild;
  readonly #generation: HistogramChild;

  constructor({ name, cachesize, metrics }: DataKeysOptions) {
    this.#name = name;
    this.#cachesize = cachesize;
    this.#cache = cachesize > 0 ? new BoundedMap(cachesize) : undefined;
    this.#fill = metrics
      .gauge({
        name: 'apiserver_envelope_encryption_dek_cache_fill_percent',
        help: 'Share of the places of the cache of data keys that are taken, from 0 to 1.',
      })
      .labels();
    this.#misses = metrics
      .counter({
        name: 'apiserver_storage_envelope_transformation_cache_misses_total',
        help: 'Data keys that were not in the cache and were decrypted by a KMS plugin.',
      })
      .labels();
    this.#generation = metrics
      .histogram({
        name: 'apiserver_storage_data_key_generation_duration_seconds',
        help: 'Duration of the generation of a data key.',
        buckets: Array.from({ length: 14 }, (_, power) => 5e-6 * 2 ** power),
      })
      .labels();
  }

  /** Generates a key. */
  generate(): NewDataKey {
    const startedAt = performance.now();
    const bytes = randomBytes(dataKeyBytes);
    this.#generation.observe((performance.now() - startedAt) / 1000);
    return { bytes, cipher: localCiphers.aesgcm.create(bytes) };
  }

  /** Returns the key of this id if it is in memory. */
  find(id: string): Cipher | undefined {
    return this.#cache?.get(id);
  }

  /** Keeps a key. */
  add(id: string, cipher: Cipher): void {
    if (this.#cache === undefined) return;
    this.#cache.set(id, cipher);
    this.#fill.set(this.#cache.size / this.#cachesize);
  }

  /** Returns the key of this id, which `decrypt` gets from the plugin unless another read is getting it. */
  open(id: string, decrypt: () => Promise<Uint8Array>): Promise<Cipher> {
    let opening = this.#opening.get(id);
    if (opening === undefined) {
      if (this.#cache !== undefined) this.#misses.inc();
      opening = this.#open(id, decrypt).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
    }
    return opening;
  }

  async #open(id: string, decrypt: () => Promise<Uint8Array>): Promise<Cipher> {
    const bytes = await decrypt();
    if (!localCiphers.aesgcm.keyBytes.includes(bytes.length))
      throw new KmsError(
        'malformed',
        `KMS plugin "${this.#name}" answered with a data key of ${bytes.length} bytes`,
      );
    const cipher = localCiphers.aesgcm.create(Buffer.from(bytes));
    this.add(id, cipher);
    return cipher;
  }
}

/** Identifies a data key by everything that its decryption depends on. */
export function dataKeyId(...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest('base64');
}
