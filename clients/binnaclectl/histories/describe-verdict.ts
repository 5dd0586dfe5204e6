import type { Verdict } from './verify-history.ts';

/** A verdict for the terminal: counts, violations with their records, and what was not decided. */
export function describeVerdict({ violations, undecided, counts }: Verdict, maxViolations: number): string {
  const writes = `${counts.acknowledgedWrites} acknowledged, ${counts.refusedWrites} refused, ${counts.unknownWrites} of unknown outcome`;
  const watches = `${counts.watches} watches of ${counts.watchers} watchers with ${counts.events} events`;
  const objects = `${counts.checkedByVersion} objects checked by version, ${counts.searched} by search`;
  const lines = [
    `${counts.records} records: writes: ${writes}; ${counts.reads} reads, ${counts.lists} lists; ${watches}`,
    objects,
  ];
  for (const { check, message, records } of violations.slice(0, maxViolations)) {
    lines.push(`${check}: ${message}`);
    lines.push(...records.map(record => `  ${shortened(JSON.stringify(record))}`));
  }
  if (violations.length > maxViolations)
    lines.push(`... and ${violations.length - maxViolations} more violations`);
  if (undecided.length > 0)
    lines.push(`not decided in the time for searching: ${undecided.length} objects, such as ${undecided[0]}`);
  lines.push(violations.length > 0 ? `${violations.length} violations` : 'no violation');
  return `${lines.join('\n')}\n`;
}

/** Lists may have thousands of items. */
function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
