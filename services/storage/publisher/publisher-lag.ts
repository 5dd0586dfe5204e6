import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import type { GaugeChild, Metrics } from '@binnacle/telemetry';

const sampleIntervalMs = 2000;

/** The most samples: a lag over two hours shows as two hours. */
const maxSamples = 3600;

/** The lag of the change feed behind the store: `binnacle_storage_publisher_lag_seconds`. */
export class PublisherLag {
  readonly #storage: Pick<Storage, 'typeRevision'>;
  readonly #seconds: GaugeChild;
  #published: Revision = 0;
  #samples: { readonly at: number; readonly revision: Revision }[] = [];

  constructor(storage: Pick<Storage, 'typeRevision'>, metrics: Metrics) {
    this.#storage = storage;
    this.#seconds = metrics
      .gauge({
        name: 'binnacle_storage_publisher_lag_seconds',
        help: 'Age of the oldest state of the store that is not in the change feed.',
      })
      .labels();
  }

  /** Records that every change up to a revision is in the change feed. */
  published(revision: Revision): void {
    this.#published = revision;
  }

  /** Compares with the store periodically, until the signal aborts; the gauges are then zero. */
  async measure(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#sample(signal).catch(() => {});
      await sleep(sampleIntervalMs, undefined, { signal }).catch(() => {});
    }
    this.#seconds.set(0);
  }

  async #sample(signal: AbortSignal): Promise<void> {
    const revision = await this.#storage.typeRevision(undefined, {
      signal,
      deadline: deadlineIn(sampleIntervalMs),
    });
    const now = performance.now();
    // The newest fully published sample bounds the time of the first missing change.
    const reached = this.#samples.findLastIndex(sample => sample.revision <= this.#published);
    if (reached > 0) this.#samples = this.#samples.slice(reached);
    this.#samples.push({ at: now, revision });
    if (this.#samples.length > maxSamples) this.#samples.shift();
    const isBehind = revision > this.#published;
    this.#seconds.set(isBehind ? (now - (this.#samples[0]?.at ?? now)) / 1000 : 0);
  }
}
