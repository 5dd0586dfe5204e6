import { pause } from '@binnacle/event-loop';
import { deadlineIn } from '@binnacle/proto';
import { type StoreSpace, spaceProblem } from '@binnacle/storage-contract';
import type { GaugeChild, Logger, Metrics } from '@binnacle/telemetry';
import type { EtcdMaintenance, MemberStatus } from '../backends/etcd/maintenance.ts';

/** etcd's own default of `--quota-backend-bytes`. */
export const defaultQuotaBytes = 2_147_483_648;

/** Options of the watch on etcd's space. */
interface SpaceWatchOptions {
  readonly maintenance: Pick<EtcdMaintenance, 'statuses'>;
  /** The size at which etcd stops accepting writes. */
  readonly quotaBytes: number;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Milliseconds between checks. */
const intervalMs = 10_000;
/** Milliseconds before an early check, which follows a write that etcd refused. */
const shortestIntervalMs = 1_000;

const timeoutMs = 3_000;

/**
 * Watches the size of the databases of etcd's members, and whether etcd has stopped accepting writes. Logs once when etcd becomes
 * nearly full, full, and has space again.
 */
export class SpaceWatch {
  readonly #options: SpaceWatchOptions;
  readonly #size: ReturnType<Metrics['gauge']>;
  readonly #inUse: ReturnType<Metrics['gauge']>;
  readonly #full: GaugeChild;
  #space: StoreSpace;
  #state: 'enough' | 'nearly-full' | 'full' = 'enough';
  #isUrgent = false;
  #wake: (() => void) | undefined;

  constructor(options: SpaceWatchOptions) {
    const { metrics, quotaBytes } = options;
    this.#options = options;
    this.#space = { sizeBytes: 0, quotaBytes, isFull: false };
    const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
      metrics.gauge({ name, help, labelNames });
    this.#size = gauge(
      'binnacle_etcd_database_bytes',
      'Size of the database of a member of etcd, free pages included: what etcd compares with its quota.',
      ['endpoint'],
    );
    this.#inUse = gauge(
      'binnacle_etcd_database_in_use_bytes',
      'Part of the database of a member of etcd that is in use: its size after a defragmentation.',
      ['endpoint'],
    );
    gauge('binnacle_etcd_quota_bytes', 'Size at which etcd stops accepting writes, as the flag says.')
      .labels()
      .set(quotaBytes);
    this.#full = gauge(
      'binnacle_etcd_full',
      '1 while etcd accepts no writes because a member has no space left.',
    ).labels();
  }

  /** The last known space. */
  get space(): StoreSpace {
    return this.#space;
  }

  /** Schedules an early check, after etcd refused a write. */
  lookSoon(): void {
    if (this.#state === 'full') return;
    this.#isUrgent = true;
    this.#wake?.();
  }

  /** Checks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const wakeBy = (wake: () => void) => {
      this.#wake = wake;
      return () => {
        this.#wake = undefined;
      };
    };
    while (!signal.aborted) {
      this.#isUrgent = false;
      await this.#look(signal);
      await pause(shortestIntervalMs, signal);
      if (!this.#isUrgent) await pause(intervalMs - shortestIntervalMs, signal, { wakeBy });
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { maintenance, quotaBytes } = this.#options;
    const statuses = await maintenance.statuses({ signal, deadline: deadlineIn(timeoutMs) });
    const known = statuses.filter((status): status is MemberStatus => !('error' in status));
    if (known.length === 0) return;
    for (const { endpoint, sizeBytes, inUseBytes } of known) {
      this.#size.labels(endpoint).set(sizeBytes);
      this.#inUse.labels(endpoint).set(inUseBytes);
    }
    this.#space = {
      sizeBytes: Math.max(...known.map(({ sizeBytes }) => sizeBytes)),
      quotaBytes,
      isFull: known.some(({ alarms }) => alarms.includes('NOSPACE')),
    };
    this.#full.set(Number(this.#space.isFull));
    this.#note();
  }

  #note(): void {
    const { isFull, sizeBytes, quotaBytes } = this.#space;
    const problem = spaceProblem(this.#space);
    const state = problem === undefined ? 'enough' : isFull ? 'full' : 'nearly-full';
    if (state === this.#state) return;
    this.#state = state;
    const { log } = this.#options;
    const fields = { sizeBytes, quotaBytes };
    if (state === 'full')
      log.error('etcd is full and refuses writes: compact, defragment and disarm it', fields);
    else if (state === 'nearly-full') log.warn('etcd is nearly full', fields);
    else log.info('etcd has space again', fields);
  }
}
