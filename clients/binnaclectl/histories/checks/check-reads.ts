import { type Change, type Changes, mayFollow } from '../records/changes.ts';
import { groupBy, type History } from '../records/history.ts';
import {
  isInCollection,
  type ListRecord,
  placeKey,
  type ReadRecord,
  versionNumber,
  type WriteRecord,
} from '../records/records.ts';
import type { Timeline } from '../records/timeline.ts';
import type { Violation } from '../records/violation.ts';

/**
 * A read shows every write that ended before it began, and a list is exactly the state of the collection at its version. Reads
 * that may be old are held to the second alone.
 */
export function checkReads(history: History, changes: Changes, timeline: Timeline): Violation[] {
  const violations: Violation[] = [];
  for (const read of history.reads) {
    const own = changes.of.get(placeKey(read)) ?? [];
    const open = changes.open.get(placeKey(read)) ?? [];
    const problem = read.found ? staleRead(read, own, timeline) : falseAbsence(read, own, open, timeline);
    if (problem) violations.push(problem);
  }
  const byResource = groupBy(changes.all, ({ resource }) => resource);
  for (const list of history.lists) {
    const own = (byResource.get(list.resource) ?? []).filter(change => isInCollection(list, change));
    violations.push(...checkList(list, own, changes.open, timeline));
  }
  return violations;
}

function staleRead(read: ReadRecord, own: readonly Change[], timeline: Timeline): Violation | undefined {
  if (read.mayBeOld || !read.found) return undefined;
  const version = versionNumber(read.found.version);
  const missed = own.find(change => change.version > version && isOver(change, read.start, timeline));
  if (missed === undefined) return undefined;
  const message = `a read of ${placeKey(read)} gave version ${version} after it had got version ${missed.version}`;
  return violation(message, missed, read);
}

/** Whether a write is a deletion that was begun by a time. */
function isDeletionBy({ verb, start }: WriteRecord, time: number): boolean {
  return verb === 'delete' && start <= time;
}

/** Whether a change was surely done by a time. */
function isOver(change: Change, time: number, timeline: Timeline): boolean {
  return timeline.reachedBy(change.version) < time;
}

function falseAbsence(
  read: ReadRecord,
  own: readonly Change[],
  open: readonly WriteRecord[],
  timeline: Timeline,
): Violation | undefined {
  const lastBefore = own.findLast(change => isOver(change, read.start, timeline));
  if (open.some(write => isDeletionBy(write, read.end) && mayFollow(write, lastBefore))) return undefined;
  // The object is absent before its first change, and from a deletion to the change after it.
  const isGap = (before: Change | undefined, after: Change | undefined): boolean => {
    if (before && (before.verb !== 'delete' || (before.write?.start ?? 0) > read.end)) return false;
    return after === undefined || read.mayBeOld === true || !isOver(after, read.start, timeline);
  };
  for (let index = 0; index <= own.length; index++) if (isGap(own[index - 1], own[index])) return undefined;
  const last = lastBefore ?? own.at(-1);
  const message = `${placeKey(read)} was not found although it was there, at version ${last?.version}`;
  return last && violation(message, last, read);
}

function* checkList(
  list: ListRecord,
  own: readonly Change[],
  open: Changes['open'],
  timeline: Timeline,
): Iterable<Violation> {
  const version = versionNumber(list.version);
  const state = new Map<string, Change>();
  for (const change of own) if (change.version <= version) state.set(change.key, change);
  const missed = own.find(change => change.version > version && isOver(change, list.start, timeline));
  if (missed && !list.mayBeOld) {
    const message = `a list of ${collectionText(list)} at version ${version} began after version ${missed.version} of ${missed.key} was written`;
    yield violation(message, missed, list);
  }
  const listed = new Set<string>();
  for (const item of list.items) {
    const key = placeKey({ ...item, resource: list.resource });
    const itemVersion = versionNumber(item.version);
    const last = state.get(key);
    if (listed.has(key)) yield violation(`${key} is twice in one list`, undefined, list);
    listed.add(key);
    if (itemVersion > version)
      yield violation(`a list at version ${version} has ${key} at version ${itemVersion}`, last, list);
    else if (last && last.version !== itemVersion) {
      const what = last.verb === 'delete' ? 'deleted' : 'written';
      const message = `a list at version ${version} has ${key} at version ${itemVersion}, which was ${what} at ${last.version}`;
      yield violation(message, last, list);
    }
  }
  for (const [key, last] of state) {
    if (last.verb === 'delete' || listed.has(key)) continue;
    const isMaybeDeleted = open
      .get(key)
      ?.some(write => isDeletionBy(write, list.end) && mayFollow(write, last));
    if (isMaybeDeleted) continue;
    const message = `${key}, written at version ${last.version}, is not in a list at version ${version}`;
    yield violation(message, last, list);
  }
}

function violation(message: string, change: Change | undefined, record: ReadRecord | ListRecord): Violation {
  const shown = change ? [change.write ?? change.record] : [];
  return { check: 'reads', message, records: [...shown, record] };
}

/** A collection in messages. */
function collectionText({ resource, namespace }: { resource: string; namespace?: string }): string {
  return namespace === undefined ? `all ${resource}` : `the ${resource} of "${namespace}"`;
}
