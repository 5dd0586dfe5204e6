import type { Sent } from './open-load.ts';

/** The requests of one stretch of load: how long they waited, and how those ended that failed. */
export interface Waits {
  readonly requests: number;
  readonly p999Ms: number;
  readonly longestMs: number;
  /** Answers 409 and 504, and how many of them were to requests that were due later than a second after the freeze. */
  readonly conflicts: { readonly all: number; readonly late: number };
  readonly timeouts: { readonly all: number; readonly late: number };
  /** Other answers that are no success, and broken connections, with their numbers. */
  readonly others: ReadonlyMap<string, number>;
}

/** The limits of what must hold while a process stands still. */
const p999LimitMs = 2_000;
const longestLimitMs = 5_000;
/** Milliseconds after the freeze in which a write that is under way at the store may end with 409 or 504. */
const underWayMs = 1_000;

/** Sums up requests; those that were due up to a second after the freeze are told from later ones. */
export function waitsOf(sent: readonly Sent[], frozenAt: number): Waits {
  const waits = sent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const others = new Map<string, number>();
  for (const { outcome } of sent)
    if (!/^(2..|409|504)$/.test(outcome)) others.set(outcome, (others.get(outcome) ?? 0) + 1);
  const answered = (code: string) => {
    const each = sent.filter(({ outcome }) => outcome === code);
    return { all: each.length, late: each.filter(({ dueAt }) => dueAt > frozenAt + underWayMs).length };
  };
  return {
    requests: sent.length,
    p999Ms: waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.999))] ?? 0,
    longestMs: waits.at(-1) ?? 0,
    conflicts: answered('409'),
    timeouts: answered('504'),
    others,
  };
}

/** Why the waits are not what must hold; empty where they are. `isStore`: the store itself had writes under way. */
export function shortfalls(waits: Waits, isStore: boolean): readonly string[] {
  const { p999Ms, longestMs, conflicts, timeouts, others } = waits;
  const refused = isStore ? conflicts.late + timeouts.late : conflicts.all + timeouts.all;
  return [
    ...(p999Ms > p999LimitMs ? [`p99.9 over ${p999LimitMs} ms`] : []),
    ...(longestMs > longestLimitMs ? [`a wait over ${longestLimitMs} ms`] : []),
    ...(refused > 0 ? ['409 or 504'] : []),
    ...(others.size > 0 ? ['other failures'] : []),
  ];
}
