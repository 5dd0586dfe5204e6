import { deadlineIn } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import type { WatchCacheClock } from '../../contract/environment.ts';

/** Default of `quietMs`: publishers write at least every 3 s. */
const defaultQuietMs = 3_200;

/** Interval in ms between two probes while the topic delivers changes, and the time that it may lag behind the probed revision. */
const sampleMs = 5_000;
const lateMs = 3_000;

const probeTimeoutMs = 1_000;

/** Options of a silence monitor. */
interface SilenceMonitorOptions {
  readonly storage: Pick<Storage, 'typeRevision'>;
  readonly clock: WatchCacheClock;
  /** Returns the revision that every partition has reached. */
  reached(): Revision;
  /** Silence in ms after which the monitor reads the store revision; default: 3,200. */
  readonly quietMs?: number;
  /** Time in ms that a silent topic may lag behind the probed revision; default: 0. */
  readonly graceMs?: number;
}

/**
 * Distinguishes an idle topic from a failed or lagging Kafka by reading the store revision. It does not read it while the topic
 * delivers progress messages and the revision does not advance.
 */
export class SilenceMonitor {
  readonly #options: SilenceMonitorOptions;
  /** A store revision that the topic has not reached. */
  #missing: { readonly revision: Revision; readonly since: number } | undefined;
  #sampledAt: number;
  #sampledRevision: Revision | undefined;
  #isProbing = false;

  constructor(options: SilenceMonitorOptions) {
    this.#options = options;
    this.#sampledAt = options.clock.monotonic();
  }

  /** The store revision that the topic has not reached; undefined if none is known. */
  get missing(): Revision | undefined {
    return this.#missing?.revision;
  }

  /** Resets the monitor: the topic is up to date. */
  reset(): void {
    this.#missing = undefined;
    this.#sampledAt = this.#options.clock.monotonic();
  }

  /**
   * Returns whether the topic is behind; called periodically. `heardAt` is the time of the last message of the partition that has
   * been silent longest.
   */
  isBehind(heardAt: number, signal: AbortSignal): boolean {
    const { clock, reached, quietMs = defaultQuietMs, graceMs = 0 } = this.#options;
    const now = clock.monotonic();
    const isQuiet = now - heardAt >= quietMs;
    if (this.#missing !== undefined && reached() >= this.#missing.revision) this.#missing = undefined;
    if (this.#missing !== undefined) return now - this.#missing.since >= (isQuiet ? graceMs : lateMs);
    this.#sampledRevision ??= reached();
    const isSampleDue = now - this.#sampledAt >= sampleMs && reached() > this.#sampledRevision;
    if ((isQuiet || isSampleDue) && !this.#isProbing) void this.#probe(signal);
    return false;
  }

  /** Reads the store revision. Never rejects: when storage does not answer either, there is no other source. */
  async #probe(signal: AbortSignal): Promise<void> {
    const { storage, clock, reached } = this.#options;
    const since = clock.monotonic();
    this.#isProbing = true;
    const stop = new AbortController();
    const cancel = clock.after(probeTimeoutMs, () => stop.abort());
    try {
      const revision = await storage.typeRevision(undefined, {
        signal: AbortSignal.any([signal, stop.signal]),
        deadline: deadlineIn(probeTimeoutMs),
      });
      this.#sampledAt = clock.monotonic();
      this.#sampledRevision = revision;
      if (revision > reached()) this.#missing = { revision, since };
    } catch {
      // The next call of `isBehind` probes again.
    } finally {
      cancel();
      this.#isProbing = false;
    }
  }
}
