import type { Sent } from './open-load.ts';

/** The requests of one stretch of load: their waits, and the outcomes of failed ones. */
export interface Waits {
  readonly requests: number;
  readonly p999Ms: number;
  readonly longestMs: number;
  /** Answers 409 and 504. */
  readonly conflicts: Failures;
  readonly timeouts: Failures;
  /** Other answers that are no success, and broken connections, by their names. */
  readonly others: ReadonlyMap<string, Failures>;
}

/** The requests that ended in one way. */
export interface Failures {
  readonly all: number;
  /** The failures that were due later than a second after the freeze. */
  readonly late: number;
}

/**
 * The part at which requests that were under way at the freeze may fail: at the store with 409 or 504, at a gateway in
 * any way, or nowhere.
 */
export type UnderWay = 'store' | 'gateway' | 'nowhere';

/** The limits while a process is frozen. */
const p999LimitMs = 2_000;
const longestLimitMs = 5_000;
/** Milliseconds after the freeze in which a write that is under way at the store may end with 409 or 504. */
const underWayMs = 1_000;

/** Sums up requests; those that were due up to a second after the freeze are counted apart from later ones. */
export function summarizeWaits(sent: readonly Sent[], frozenAt: number): Waits {
  const waits = sent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const answered = (code: string): Failures => {
    const each = sent.filter(({ outcome }) => outcome === code);
    return { all: each.length, late: each.filter(({ dueAt }) => dueAt > frozenAt + underWayMs).length };
  };
  const outcomes = new Set(sent.map(({ outcome }) => outcome));
  const others = [...outcomes].filter(outcome => !/^(2..|409|504)$/.test(outcome));
  return {
    requests: sent.length,
    p999Ms: waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.999))] ?? 0,
    longestMs: waits.at(-1) ?? 0,
    conflicts: answered('409'),
    timeouts: answered('504'),
    others: new Map(others.map(outcome => [outcome, answered(outcome)])),
  };
}

/** The limits that the waits exceed; empty where they keep all. */
export function shortfalls(waits: Waits, underWay: UnderWay): readonly string[] {
  const { p999Ms, longestMs, conflicts, timeouts, others } = waits;
  const count = (failures: readonly Failures[], mayFailAtFirst: boolean) =>
    failures.reduce((sum, { all, late }) => sum + (mayFailAtFirst ? late : all), 0);
  return [
    ...(p999Ms > p999LimitMs ? [`p99.9 over ${p999LimitMs} ms`] : []),
    ...(longestMs > longestLimitMs ? [`a wait over ${longestLimitMs} ms`] : []),
    ...(count([conflicts, timeouts], underWay !== 'nowhere') > 0 ? ['409 or 504'] : []),
    ...(count([...others.values()], underWay === 'gateway') > 0 ? ['other failures'] : []),
  ];
}
