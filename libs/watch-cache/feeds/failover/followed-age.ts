import type { Revision, Storage } from '@binnacle/storage-contract';
import type { WatchCacheClock } from '../../contract/environment.ts';
import type { PartitionMerge } from './partition-merge.ts';
import { SilenceMonitor } from './silence-monitor.ts';

/** Milliseconds without a message of its stream after which a partition may be too old: those of control types, and others. */
const quietMs = { control: 6_000, others: 30_000 };

/** Milliseconds for which the stream may still come, once storage has said that something is missing. */
const graceMs = 5_000;

/** Options of a followed age. */
interface FollowedAgeOptions {
  readonly storage: Pick<Storage, 'typeRevision'>;
  readonly clock: WatchCacheClock;
  /** The partitions that the stream brings. */
  merges(): readonly PartitionMerge[];
  /** Whether rights and admission depend on what they carry. */
  carriesControl(): boolean;
}

/**
 * The age of what a stream of storage should bring. Pods serve a bounded number of streams; a reader that all of them refuse
 * learns of no change. It asks storage for its revision then, and when that has moved on it has the types listed:
 * what it serves is at most some seconds old, with rights and admission, and half a minute, with all else.
 */
export class FollowedAge {
  readonly #options: FollowedAgeOptions;
  readonly #monitors: Readonly<Record<keyof typeof quietMs, SilenceMonitor>>;
  #heardAt: number;

  constructor(options: FollowedAgeOptions) {
    this.#options = options;
    const { storage, clock, merges } = options;
    const reached = (): Revision => Math.min(...merges().map(({ revision = 0 }) => revision));
    const shared = { storage, clock, reached, graceMs };
    this.#monitors = {
      control: new SilenceMonitor({ ...shared, quietMs: quietMs.control }),
      others: new SilenceMonitor({ ...shared, quietMs: quietMs.others }),
    };
    this.#heardAt = clock.monotonic();
  }

  /** The stream has brought something, or has only just been asked for. */
  heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
  }

  /** The revision from which the types are to be listed, where they are too old; now and then. */
  expired(signal: AbortSignal): Revision | undefined {
    const { merges, carriesControl, clock } = this.#options;
    if (merges().length === 0) return undefined;
    const types = carriesControl() ? 'control' : 'others';
    const monitor = this.#monitors[types];
    if (clock.monotonic() - this.#heardAt < quietMs[types]) {
      monitor.reset();
      return undefined;
    }
    if (!monitor.isBehind(this.#heardAt, signal)) return undefined;
    const { missing } = monitor;
    monitor.reset();
    this.heard();
    return missing;
  }
}
