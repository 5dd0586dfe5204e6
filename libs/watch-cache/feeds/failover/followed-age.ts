import type { Revision, Storage } from '@binnacle/storage-contract';
import type { WatchCacheClock } from '../../contract/environment.ts';
import type { PartitionMerge } from './partition-merge.ts';
import { SilenceMonitor } from './silence-monitor.ts';

/** Time in ms without a message of the stream after which its types may be outdated, for control types and others. */
const quietMs = { control: 6_000, others: 30_000 };

/** Time in ms that the stream has to deliver a revision that storage has reported. */
const graceMs = 5_000;

/** Options of FollowedAge. */
interface FollowedAgeOptions {
  readonly storage: Pick<Storage, 'typeRevision'>;
  readonly clock: WatchCacheClock;
  /** Partitions that the stream carries. */
  merges(): readonly PartitionMerge[];
  /** Whether the partitions carry types that authorization and admission depend on. */
  carriesControl(): boolean;
}

/**
 * Detects outdated types of a storage stream. Storage pods serve a bounded number of streams; a reader that all of them refuse
 * receives no changes. It then reads the store revision and, if that has advanced, requests a listing of the types: control types
 * are listed after about 11 s without their stream, other types after 35 s.
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

  /** Records that the stream delivered a message or was just requested. */
  heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
  }

  /** Returns the revision after which outdated types must be listed, otherwise undefined; called periodically. */
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
