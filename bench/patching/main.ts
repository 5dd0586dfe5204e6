import type { Growth } from './growth.ts';
import { measureStrategicMerge } from './measure-strategic-merge.ts';

/** A list five times as long may cost this many times as much. */
const target = 6;

// The cost of strategic merge of a list keyed by name as the list grows, beside the limit.
const figures: readonly [what: string, growth: Growth][] = [
  ['strategic merge by name', measureStrategicMerge(false)],
  ['the same with $setElementOrder', measureStrategicMerge(true)],
];
for (const [what, { small, large, median, worst }] of figures) {
  const verdict = median <= target ? 'met' : 'MISSED';
  console.log(
    `${what.padEnd(32)} ${small.toFixed(0)} µs for 100 entries, ${large.toFixed(0)} µs for 500: ${median.toFixed(2)} times (worst run ${worst.toFixed(2)}; target at most ${target}: ${verdict})`,
  );
}
process.exitCode = figures.every(([, { median }]) => median <= target) ? 0 : 1;
