import type { Change, Changes } from '../records/changes.ts';
import { groupBy, type History, type Watcher, type WatchSegment } from '../records/history.ts';
import { type HistoryRecord, isInCollection, placeKey, versionNumber } from '../records/records.ts';
import type { Timeline } from '../records/timeline.ts';
import type { Violation } from '../records/violation.ts';
import { findFinalView } from './final-view.ts';

/**
 * Each watch shows what changed after its version, in the order of versions, each change once, and leaves nothing out up to
 * what it showed last, event or bookmark. After a bookmark nothing comes at or below its version. One that is open when the
 * history has settled has shown everything.
 */
export function checkWatches(history: History, changes: Changes, timeline: Timeline): Violation[] {
  const byResource = groupBy(changes.all, ({ resource }) => resource);
  return [...history.watchers.values()].flatMap(watcher => {
    const collection = {
      resource: watcher.resource,
      ...(watcher.namespace === undefined ? {} : { namespace: watcher.namespace }),
    };
    const own = (byResource.get(watcher.resource) ?? []).filter(change => isInCollection(collection, change));
    const found = watcher.segments.flatMap(segment => [
      ...checkOrder(segment),
      ...checkContents(segment, watcher, changes),
      ...checkCompleteness(segment, own, { settledAt: history.settledAt, timeline }),
    ]);
    return [...found, ...checkDeletionsSeen(history, watcher, changes)];
  });
}

function* checkOrder({ watch, messages }: WatchSegment): Iterable<Violation> {
  let last = versionNumber(watch.from);
  let bookmark = -1;
  let lastRecord: HistoryRecord = watch;
  const seen = new Set<number>();
  for (const message of messages) {
    const version = versionNumber(message.version);
    const report = (text: string): Violation => violation(`${watch.watcher}: ${text}`, lastRecord, message);
    if (message.kind === 'bookmark') {
      if (version < last) yield report(`a bookmark says ${version} after ${last} was shown`);
      bookmark = Math.max(bookmark, version);
    } else {
      if (seen.has(version)) yield report(`the event at version ${version} came twice`);
      else if (version <= bookmark)
        yield report(`the event at version ${version} came after a bookmark that said ${bookmark}`);
      else if (version <= last) yield report(`the event at version ${version} came after ${last}`);
      seen.add(version);
    }
    if (version >= last) {
      last = version;
      lastRecord = message;
    }
  }
}

/** Events say what kind of change it was. */
function* checkContents({ messages }: WatchSegment, watcher: Watcher, changes: Changes): Iterable<Violation> {
  const expected = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED', write: undefined };
  for (const message of messages) {
    if (message.kind === 'bookmark') continue;
    const key = placeKey({ ...message, resource: watcher.resource });
    const version = versionNumber(message.version);
    const change = changes.byVersion.get(version);
    const event = change?.key === key ? expected[change.verb] : undefined;
    if (event === undefined || event === message.event) continue;
    const text = `${watcher.name}: ${key} at version ${version} came as ${message.event}, not ${event}`;
    yield violation(text, change?.write ?? change?.record, message);
  }
}

interface EndOfHistory {
  readonly settledAt: number | undefined;
  readonly timeline: Timeline;
}

function* checkCompleteness(
  segment: WatchSegment,
  own: readonly Change[],
  { settledAt, timeline }: EndOfHistory,
): Iterable<Violation> {
  const { watch, messages, end } = segment;
  const from = versionNumber(watch.from);
  const events = messages.filter(message => message.kind === 'event');
  const shown = new Set(events.map(({ version }) => versionNumber(version)));
  const reached = messages.reduce((most, { version }) => Math.max(most, versionNumber(version)), from);
  const isOpenAtEnd = settledAt !== undefined && watch.at <= settledAt && (end?.at ?? settledAt) >= settledAt;
  for (const change of own) {
    if (change.version <= from || shown.has(change.version)) continue;
    const record = change.write ?? change.record;
    const what = `${watch.watcher}: the ${change.verb} of ${change.key} at version ${change.version}`;
    if (change.version <= reached) {
      const next = messages.find(({ version }) => versionNumber(version) > change.version);
      yield violation(`${what} was left out of a watch from ${from} to ${reached}`, watch, record, next);
    } else if (isOpenAtEnd && timeline.reachedBy(change.version) <= settledAt) {
      yield violation(`${what} was not shown to the end`, watch, record);
    }
  }
}

/** An acknowledged deletion whose version is not known is seen by its effect: the object is gone from what a watcher shows. */
function* checkDeletionsSeen(history: History, watcher: Watcher, changes: Changes): Iterable<Violation> {
  const view = findFinalView(history, watcher);
  for (const [key, record] of view ?? []) {
    const deletion = changes.open
      .get(key)
      ?.find(({ verb, outcome, start }) => verb === 'delete' && outcome === 'ok' && start >= record.at);
    const others = (history.writesOf.get(key) ?? []).filter(write => write !== deletion);
    const isLast =
      deletion && others.every(write => write.end <= deletion.start && write.outcome !== 'unknown');
    if (isLast)
      yield violation(`${watcher.name}: the deletion of ${key} was not shown to the end`, record, deletion);
  }
}

function violation(message: string, ...records: (HistoryRecord | undefined)[]): Violation {
  return { check: 'watches', message, records: records.filter(record => record !== undefined) };
}
