import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn } from '@binnacle/proto';
import type { Revision, Storage } from '@binnacle/storage-contract';
import type { Logger } from '@binnacle/telemetry';

/** Options of compaction. */
interface CompactionOptions {
  readonly storage: Pick<Storage, 'typeRevision' | 'compact'>;
  /** Milliseconds of history that are kept. */
  readonly historyWindow: number;
  readonly log: Logger;
}

/** Milliseconds that a request of the compaction may take. */
const requestTimeoutMs = 10_000;

/** The revision of the store at a time of the monotonic clock. */
interface Sample {
  readonly at: number;
  readonly revision: Revision;
}

/**
 * Compacts the store, until the signal aborts, at the revision that was current one history window ago.
 *
 * Only revisions that this process saw are compacted, so the first compaction comes one window after the start.
 */
export async function runCompaction(options: CompactionOptions, signal: AbortSignal): Promise<void> {
  const { historyWindow, log } = options;
  const intervalMs = Math.max(Math.min(historyWindow / 10, 30_000), 10);
  let samples: readonly Sample[] = [];
  while (!signal.aborted) {
    try {
      samples = await compactOnce(options, samples, signal);
    } catch (thrown) {
      if (!signal.aborted) log.warn('compaction failed, retrying', { error: thrown });
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function compactOnce(
  { storage, historyWindow }: CompactionOptions,
  samples: readonly Sample[],
  signal: AbortSignal,
): Promise<readonly Sample[]> {
  const call = () => ({ signal, deadline: deadlineIn(requestTimeoutMs) });
  const revision = await storage.typeRevision(undefined, call());
  const now = performance.now();
  const all = [...samples, { at: now, revision }];
  const due = all.findLast(sample => sample.at <= now - historyWindow);
  if (due === undefined) return all;
  await storage.compact(due.revision, call());
  return all.filter(sample => sample.at > due.at);
}
