import type { SeenChange } from './follower.ts';
import type { CommittedWrite } from './writer.ts';

/**
 * What is wrong with what a follower saw of one type, given every committed write of it: a write that it did not see,
 * one that it saw twice, one that was not committed, or two in the wrong order. Empty when all is well.
 */
export function checkHistory(committed: readonly CommittedWrite[], seen: readonly SeenChange[]): string[] {
  const faults: string[] = [];
  const expected = new Map(committed.map(write => [write.version, write]));
  const delivered = new Set<number>();
  let last = 0;
  for (const { name, counter, version } of seen) {
    const write = expected.get(version);
    if (!write) faults.push(`${name}=${counter} at ${version} was delivered but never committed`);
    else if (write.name !== name || write.counter !== counter) {
      faults.push(`at ${version} ${name}=${counter} was delivered, ${write.name}=${write.counter} committed`);
    }
    if (delivered.has(version)) faults.push(`${name}=${counter} at ${version} was delivered twice`);
    if (version <= last) faults.push(`${version} was delivered after ${last}`);
    delivered.add(version);
    last = Math.max(last, version);
  }
  for (const { name, counter, version } of committed) {
    if (!delivered.has(version))
      faults.push(`${name}=${counter} at ${version} was committed but not delivered`);
  }
  return faults;
}
