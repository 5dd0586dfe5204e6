/** Latencies in milliseconds at the percentiles that are reported. */
export interface LatencySummary {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** The whole distribution at 100 percentiles, for the plot. */
  readonly curve: readonly number[];
}

/** Sums up latencies; undefined when there are none. */
export function summarizeLatencies(milliseconds: readonly number[]): LatencySummary | undefined {
  if (milliseconds.length === 0) return undefined;
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number): number => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return Math.round(value * 1000) / 1000;
  };
  const curve = Array.from({ length: 100 }, (_, percent) => at(percent / 100));
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), curve };
}
