import { deadlineIn } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import type { WatchCacheClock } from '../../contract/environment.ts';

/** Milliseconds of silence after which storage is asked for its revision: publishers write every three seconds or more often. */
const quietMs = 1_500;

/** Milliseconds that a revision of the store may take to reach the topic: progress of types that are not published takes a second. */
const lateMs = 1_250;

const probeTimeoutMs = 1_000;

/** What a silence monitor looks at. */
interface SilenceMonitorOptions {
  readonly storage: Pick<Storage, 'typeRevision'>;
  readonly clock: WatchCacheClock;
  /** The revision that every partition has reached. */
  reached(): Revision;
}

/**
 * Tells a topic that is silent because nothing happens from one that is silent because Kafka is: when a partition brings
 * nothing for a while it asks storage for its revision. A topic that has all of it is up to date.
 */
export class SilenceMonitor {
  readonly #options: SilenceMonitorOptions;
  /** Since when nothing says that the topic is up to date. */
  #quietSince: number;
  #missing: { readonly revision: Revision; readonly since: number } | undefined;
  #isProbing = false;

  constructor(options: SilenceMonitorOptions) {
    this.#options = options;
    this.#quietSince = options.clock.monotonic();
  }

  /** How long ago everything was certainly up to date, in ms. */
  get ageMs(): number {
    return this.#options.clock.monotonic() - this.#quietSince;
  }

  /** Begins anew: the topic is up to date. */
  reset(): void {
    this.#quietSince = this.#options.clock.monotonic();
    this.#missing = undefined;
  }

  /**
   * Looks at the time, now and then; gives whether the topic is behind. `heardAt`: when the partition that was silent for
   * longest brought something.
   */
  isBehind(heardAt: number, signal: AbortSignal): boolean {
    const now = this.#options.clock.monotonic();
    if (heardAt > this.#quietSince) this.#quietSince = heardAt;
    if (this.#missing !== undefined && this.#options.reached() >= this.#missing.revision) {
      this.#quietSince = Math.max(this.#quietSince, this.#missing.since);
      this.#missing = undefined;
    }
    if (this.#missing !== undefined) return now - this.#missing.since >= lateMs;
    if (now - this.#quietSince >= quietMs && !this.#isProbing) void this.#probe(signal);
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
      if (revision > reached()) this.#missing = { revision, since };
      else this.#quietSince = Math.max(this.#quietSince, since);
    } catch {
      // The next look asks again.
    } finally {
      cancel();
      this.#isProbing = false;
    }
  }
}
