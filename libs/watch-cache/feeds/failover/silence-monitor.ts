import { deadlineIn } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import type { WatchCacheClock } from '../../contract/environment.ts';

/** Default of `quietMs`: publishers write every three seconds or more often. */
const defaultQuietMs = 3_200;

/** Milliseconds between two such questions while the topic brings changes, and for which it may be behind an answer. */
const sampleMs = 5_000;
const lateMs = 3_000;

const probeTimeoutMs = 1_000;

/** Options of a silence monitor. */
interface SilenceMonitorOptions {
  readonly storage: Pick<Storage, 'typeRevision'>;
  readonly clock: WatchCacheClock;
  /** The revision that every partition has reached. */
  reached(): Revision;
  /** Milliseconds of silence after which storage is asked for its revision. */
  readonly quietMs?: number;
  /** Milliseconds for which what is silent may be behind an answer; default 0. */
  readonly graceMs?: number;
}

/**
 * Tells a topic that is silent because nothing happens from one that is silent because Kafka is, and one that keeps up from
 * one that does not: it asks storage for its revision. Where nothing happens and the topic says so, it asks nothing.
 */
export class SilenceMonitor {
  readonly #options: SilenceMonitorOptions;
  /** A revision of the store that the topic had not come to. */
  #missing: { readonly revision: Revision; readonly since: number } | undefined;
  #sampledAt: number;
  #sampledRevision: Revision | undefined;
  #isProbing = false;

  constructor(options: SilenceMonitorOptions) {
    this.#options = options;
    this.#sampledAt = options.clock.monotonic();
  }

  /** The revision of the store that was not reached; undefined while none is known. */
  get missing(): Revision | undefined {
    return this.#missing?.revision;
  }

  /** Begins anew: the topic is up to date. */
  reset(): void {
    this.#missing = undefined;
    this.#sampledAt = this.#options.clock.monotonic();
  }

  /**
   * Looks at the time, now and then; gives whether the topic is behind. `heardAt`: when the partition that was silent for
   * longest brought something.
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

  /** Never rejects: when storage does not answer either, there is nowhere else to go. */
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
      // The next look asks again.
    } finally {
      cancel();
      this.#isProbing = false;
    }
  }
}
