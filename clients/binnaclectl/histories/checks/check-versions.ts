import type { Changes } from '../records/changes.ts';
import type { Timeline } from '../records/timeline.ts';
import type { Violation } from '../records/violation.ts';

/**
 * Versions are one order over all objects: a write that began after a version had been shown to any client gets a greater one.
 * Contents at a version are the same wherever they are shown.
 */
export function checkVersions(changes: Changes, timeline: Timeline): Violation[] {
  const violations: Violation[] = [...changes.violations];
  for (const { write, version, key } of changes.all) {
    if (write === undefined || timeline.reachedBy(version) >= write.start) continue;
    const witness = timeline.witnessOf(version);
    const message = `${key} was written with version ${version} after that version had been shown or passed`;
    violations.push({ check: 'versions', message, records: witness ? [witness, write] : [write] });
  }
  return violations;
}
