import { findMedian } from '../encoding/figures.ts';
import type { Growth } from '../patching/growth.ts';
import { measureLists } from './measure-lists.ts';
import { measureRequests, usageText } from './measure-requests.ts';

/** For each merge patch this many applies must be possible in the same time. */
const leastRate = 0.5;
/** A list five times as long may cost this many times as much. */
const mostGrowth = 6;

// The cost of server-side apply as the lists in an object grow, and beside a merge patch. The lists come first, in a
// process that has done nothing else: code that was compiled for other work changes the cost of an apply.
const growths: readonly [what: string, growth: Growth][] = [
  ['apply of a list by name', measureLists(false)],
  ['the same in another order', measureLists(true)],
];
for (const [what, { small, large, median, worst }] of growths) {
  const verdict = median <= mostGrowth ? 'met' : 'MISSED';
  console.log(
    `${what.padEnd(32)} ${small.toFixed(0)} µs for 100 entries, ${large.toFixed(0)} µs for 500: ${median.toFixed(2)} times (worst run ${worst.toFixed(2)}; target at most ${mostGrowth}: ${verdict})`,
  );
}
const { applied, patched, ratios } = await measureRequests();
const rate = findMedian(ratios);
console.log(`apply of 40 fields               ${usageText(applied)}`);
console.log(`merge patch of one of them       ${usageText(patched)}`);
console.log(
  `applies for a merge patch        ${rate.toFixed(2)} (worst run ${Math.min(...ratios).toFixed(2)}; target at least ${leastRate}: ${rate >= leastRate ? 'met' : 'MISSED'})`,
);
process.exitCode = rate >= leastRate && growths.every(([, { median }]) => median <= mostGrowth) ? 0 : 1;
