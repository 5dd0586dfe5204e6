import { type Change, type Changes, mayFollow, namespacePlace } from '../records/changes.ts';
import type { History } from '../records/history.ts';
import { type ListRecord, placeKey } from '../records/records.ts';
import type { Timeline } from '../records/timeline.ts';
import type { Violation } from '../records/violation.ts';

/** Values that no two objects may hold at once, such as addresses and ports, are held by one. */
export function checkAddresses(history: History, changes: Changes, timeline: Timeline): Violation[] {
  const violations: Violation[] = history.lists.flatMap(list => [...checkListed(list)]);
  const holders = new Map<string, Change>();
  // In the order of versions a value is held by the one that took it last, unless another one has it still.
  for (const change of changes.all) {
    giveUp(change, holders);
    for (const value of heldBy(change)) {
      const other = holders.get(value);
      if (other === undefined || other.key === change.key || isFreed(other, change)) {
        holders.set(value, change);
        continue;
      }
      const message = `${change.key} got ${value} at version ${change.version} while ${other.key} had it`;
      const records = [other, change].map(({ write, record }) => write ?? record);
      violations.push({ check: 'addresses', message, records });
    }
  }
  return violations;

  /** Whether the holder may have been deleted, unseen, before another one got the value. */
  function isFreed(holder: Change, change: Change): boolean {
    const requests = [
      ...(changes.open.get(holder.key) ?? []),
      ...(history.writesOf.get(placeKey(namespacePlace(holder.namespace))) ?? []),
    ];
    return requests.some(
      write =>
        write.verb !== 'create' &&
        write.outcome !== 'refused' &&
        write.start <= timeline.reachedBy(change.version) &&
        mayFollow(write, holder),
    );
  }
}

/** Frees what the object of a change does not hold after it. */
function giveUp(change: Change, holders: Map<string, Change>): void {
  if (change.verb !== 'delete' && change.holds === undefined) return;
  const kept = new Set(heldBy(change));
  for (const [value, { key }] of holders) if (key === change.key && !kept.has(value)) holders.delete(value);
}

function heldBy({ holds, verb }: Change): string[] {
  return verb === 'delete' ? [] : holdTexts(holds);
}

function holdTexts(holds: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(holds).map(([sort, value]) => `${sort} ${value}`);
}

function* checkListed(list: ListRecord): Iterable<Violation> {
  const holders = new Map<string, string>();
  for (const { namespace, name, holds } of list.items) {
    for (const value of holdTexts(holds)) {
      const other = holders.get(value);
      const own = `${namespace}/${name}`;
      if (other !== undefined)
        yield { check: 'addresses', message: `${other} and ${own} both have ${value}`, records: [list] };
      holders.set(value, own);
    }
  }
}
