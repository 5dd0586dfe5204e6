import { checkAddresses } from './checks/check-addresses.ts';
import { checkNamespaces } from './checks/check-namespaces.ts';
import { checkQuotas } from './checks/check-quotas.ts';
import { checkReads } from './checks/check-reads.ts';
import { checkRegisters } from './checks/check-registers.ts';
import { checkVersions } from './checks/check-versions.ts';
import { checkWatches } from './checks/check-watches.ts';
import { findChanges } from './records/changes.ts';
import { createHistory } from './records/history.ts';
import type { HistoryRecord } from './records/records.ts';
import { createTimeline } from './records/timeline.ts';
import type { Violation } from './records/violation.ts';

/** Limits of the search of a verification. */
interface VerifyOptions {
  /** Milliseconds for all searches of orders together; 60,000 when not given. */
  readonly searchMs?: number;
  /** Steps of the search for one object; a million when not given. */
  readonly searchSteps?: number;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
}

/** The result of a verification. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** Objects for which it was not decided in time whether an order explains their operations. */
  readonly undecided: readonly string[];
  readonly counts: HistoryCounts;
}

/** The size of a history. */
interface HistoryCounts {
  readonly records: number;
  readonly acknowledgedWrites: number;
  readonly refusedWrites: number;
  readonly unknownWrites: number;
  readonly reads: number;
  readonly lists: number;
  readonly watchers: number;
  readonly watches: number;
  readonly events: number;
  /** Objects checked by the order of versions, and those for which an order was searched. */
  readonly checkedByVersion: number;
  readonly searched: number;
}

/** Checks a history against everything that the server promises its clients. */
export function verifyHistory(records: readonly HistoryRecord[], options: VerifyOptions): Verdict {
  const { now, searchMs = 60_000, searchSteps = 1_000_000 } = options;
  const history = createHistory(records);
  const changes = findChanges(history);
  const timeline = createTimeline(history);
  const endsAt = now() + searchMs;
  const budget = { steps: searchSteps, isSpent: () => now() > endsAt };
  const registers = checkRegisters(history, changes, timeline, budget);
  const count = (outcome: string) => history.writes.filter(write => write.outcome === outcome).length;
  const segments = [...history.watchers.values()].flatMap(watcher => watcher.segments);
  return {
    violations: [
      ...checkVersions(changes, timeline),
      ...registers.violations,
      ...checkReads(history, changes, timeline),
      ...checkWatches(history, changes, timeline),
      ...checkAddresses(history, changes, timeline),
      ...checkQuotas(history, changes, timeline),
      ...checkNamespaces(history, changes),
    ],
    undecided: registers.undecided,
    counts: {
      records: records.length,
      acknowledgedWrites: count('ok'),
      refusedWrites: count('refused'),
      unknownWrites: count('unknown'),
      reads: history.reads.length,
      lists: history.lists.length,
      watchers: history.watchers.size,
      watches: segments.length,
      events: history.events.length,
      checkedByVersion: registers.checkedByVersion,
      searched: registers.searched,
    },
  };
}
