import { groupBy, type History } from './history.ts';
import {
  type HistoryRecord,
  type ObjectPlace,
  type ObjectState,
  placeKey,
  versionNumber,
  type WriteRecord,
} from './records.ts';
import type { Violation } from './violation.ts';

/** A change of an object that surely happened: it was acknowledged, or a client was shown what it made. */
export interface Change extends ObjectPlace {
  readonly key: string;
  readonly version: number;
  /** `write` where it is only known that the object was there afterwards. */
  readonly verb: 'create' | 'update' | 'delete' | 'write';
  /** Absent after a deletion. */
  readonly value?: string;
  readonly holds?: Readonly<Record<string, string>>;
  /** The request that made it; undefined where that is not known, as for deletions by a controller. */
  readonly write?: WriteRecord;
  /** The first record that shows it. */
  readonly record: HistoryRecord;
}

/** The changes that are known to have happened, and the writes that may have happened. */
export interface Changes {
  /** In the order of versions. */
  readonly all: readonly Change[];
  readonly byVersion: ReadonlyMap<number, Change>;
  /** By the key of the object, in the order of versions. */
  readonly of: ReadonlyMap<string, readonly Change[]>;
  /** Writes that are not known to be one of the changes: those of unknown outcome, and deletions without a version. */
  readonly open: ReadonlyMap<string, readonly WriteRecord[]>;
  /** Contradictions that were found on the way. */
  readonly violations: readonly Violation[];
}

/** A record that shows a state of an object. */
interface Sight extends ObjectPlace {
  readonly key: string;
  readonly state: ObjectState;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED' | undefined;
  readonly record: HistoryRecord;
}

/** Controllers write namespaces besides the clients of the history: their contents are not checked. */
export const sharedResources: ReadonlySet<string> = new Set(['namespaces']);

/** Finds the changes of a history. */
export function findChanges(history: History): Changes {
  const finder = new ChangeFinder(history);
  finder.addAcknowledged();
  for (const sight of findSights(history)) finder.addSight(sight);
  return finder.finish();
}

class ChangeFinder {
  readonly #history: History;
  readonly #byVersion = new Map<number, Change>();
  readonly #violations: Violation[] = [];
  readonly #open = new Map<string, Set<WriteRecord>>();
  /** Creations of unknown outcome whose names are not known, by resource and namespace. */
  readonly #nameless: Map<string, WriteRecord[]>;
  readonly #seenDeletions = new Map<string, Change[]>();

  constructor(history: History) {
    this.#history = history;
    this.#nameless = groupBy(history.writes, write =>
      write.name === undefined && write.outcome === 'unknown' ? collectionKey(write) : undefined,
    );
  }

  addAcknowledged(): void {
    for (const [key, writes] of this.#history.writesOf) {
      for (const write of writes) {
        if (write.outcome === 'refused') continue;
        if (write.outcome === 'ok' && write.version !== undefined) this.#addWrite(key, write);
        else this.#openOf(key).add(write);
      }
    }
  }

  #addWrite(key: string, write: WriteRecord): void {
    const { verb, value, holds, resource, namespace, name = '' } = write;
    const version = versionNumber(write.version ?? '');
    const change: Change = {
      ...{ key, resource, namespace, name, version, verb, write, record: write },
      ...(value === undefined || verb === 'delete' ? {} : { value }),
      ...(holds && { holds }),
    };
    const before = this.#byVersion.get(version);
    // A write that changes nothing keeps the version.
    if (before?.key === key && verb === 'update' && before.value === value) return;
    if (before) this.#report(`two writes have the version ${version}`, before.record, write);
    else this.#byVersion.set(version, change);
  }

  addSight(sight: Sight): void {
    const { key, state, record } = sight;
    const version = versionNumber(state.version);
    const change = this.#byVersion.get(version);
    if (change === undefined) {
      const found = sight.event === 'DELETED' ? this.#deletionFrom(sight) : this.#writeFrom(sight);
      this.#byVersion.set(version, found);
      return;
    }
    if (change.key !== key) {
      this.#report(`the version ${version} is that of ${change.key} and of ${key}`, change.record, record);
    } else if ((change.verb === 'delete') !== (sight.event === 'DELETED')) {
      this.#report(`${key} is there and deleted at one version, ${version}`, change.record, record);
    } else if (change.verb !== 'delete' && !isShared(sight) && change.value !== state.value) {
      const values = `"${change.value}" and "${state.value}"`;
      this.#report(`${key} has two values at the version ${version}: ${values}`, change.record, record);
    } else if (change.holds === undefined && state.holds && change.verb !== 'delete') {
      this.#byVersion.set(version, { ...change, holds: state.holds });
    }
  }

  /** The change behind a state that no acknowledged write explains. */
  #writeFrom(sight: Sight): Change {
    const { key, state, record, event } = sight;
    const { resource, namespace, name } = sight;
    const { value, holds } = state;
    const base = { key, resource, namespace, name, value, record, ...(holds && { holds }) };
    const version = versionNumber(state.version);
    const open = this.#open.get(key);
    const isMatch = (write: WriteRecord) => write.value === value && write.outcome === 'unknown';
    let write = [...(open ?? [])].find(isMatch);
    if (write) open?.delete(write);
    else write = takeFirst(this.#nameless.get(collectionKey(sight)) ?? [], isMatch);
    if (write) return { ...base, version, verb: write.verb, write };
    if (this.#isWrittenByClientsAlone(sight))
      this.#report(`${key} has a state at version ${version} that no client wrote: "${value}"`, record);
    return {
      ...base,
      version,
      verb: event === 'ADDED' ? 'create' : event === 'MODIFIED' ? 'update' : 'write',
    };
  }

  #deletionFrom({ key, state, record, resource, namespace, name }: Sight): Change {
    const version = versionNumber(state.version);
    const change: Change = { key, resource, namespace, name, version, verb: 'delete', record };
    const list = this.#seenDeletions.get(key);
    if (list) list.push(change);
    else this.#seenDeletions.set(key, [change]);
    return change;
  }

  finish(): Changes {
    const written = groupBy(this.#sorted(), change => (change.verb === 'delete' ? undefined : change.key));
    for (const [key, deletions] of this.#seenDeletions)
      this.#explainDeletions(key, deletions.toSorted(byVersion), written.get(key) ?? []);
    const all = this.#sorted();
    const changesOf = groupBy(all, ({ key }) => key);
    for (const changes of changesOf.values()) this.#addNamespaceEnd(changes);
    const open = new Map([...this.#open].map(([key, writes]) => [key, [...writes]]));
    return { all, byVersion: this.#byVersion, of: changesOf, open, violations: this.#violations };
  }

  #sorted(): Change[] {
    return [...this.#byVersion.values()].sort(byVersion);
  }

  /** The end of a namespace may have deleted an object without any client having seen that. */
  #addNamespaceEnd(changes: readonly Change[]): void {
    const last = changes.at(-1);
    if (last === undefined || last.verb === 'delete') return;
    const { key, resource, namespace, name } = last;
    for (const { start, end, client } of this.#endsOf(namespace)) {
      const outcome = 'unknown';
      this.#openOf(key).add({
        kind: 'write',
        verb: 'delete',
        outcome,
        start,
        end,
        client,
        resource,
        namespace,
        name,
      });
    }
  }

  /** Deletions that were seen belong to requests; where it is certain to which, that is said. */
  #explainDeletions(key: string, deletions: readonly Change[], others: readonly Change[]): void {
    const [first] = deletions;
    if (first === undefined || this.#endsOf(first.namespace).length > 0) return;
    const open = this.#openOf(key);
    const waiting = new Map(
      deletions.map(deletion => {
        const before = others.findLast(({ version }) => version < deletion.version);
        const after = others.find(({ version }) => version > deletion.version);
        const shownAt = latestTime(deletion.record);
        const endedBy = after?.write?.outcome === 'ok' ? after.write.end : shownAt;
        const isPossible = (write: WriteRecord) =>
          write.verb === 'delete' && write.start <= Math.min(shownAt, endedBy) && mayFollow(write, before);
        return [deletion, new Set([...open].filter(isPossible))];
      }),
    );
    for (;;) {
      const certain = [...waiting].find(([, requests]) => requests.size <= 1);
      if (certain === undefined) return;
      const [deletion, [write]] = certain;
      waiting.delete(deletion);
      if (write) {
        open.delete(write);
        this.#byVersion.set(deletion.version, { ...deletion, write });
        for (const requests of waiting.values()) requests.delete(write);
      } else if (this.#isWrittenByClientsAlone(deletion))
        this.#report(
          `${key} was deleted at version ${deletion.version}, which no client asked for`,
          deletion.record,
        );
    }
  }

  /** Requests for the end of a namespace, which deletes what is in it. */
  #endsOf(namespace: string): WriteRecord[] {
    const writes = this.#history.writesOf.get(placeKey(namespacePlace(namespace))) ?? [];
    return writes.filter(({ verb, outcome }) => verb === 'delete' && outcome !== 'refused');
  }

  #isWrittenByClientsAlone(place: ObjectPlace): boolean {
    return !isShared(place) && this.#history.writesOf.has(placeKey(place));
  }

  #openOf(key: string): Set<WriteRecord> {
    const found = this.#open.get(key) ?? new Set();
    this.#open.set(key, found);
    return found;
  }

  #report(message: string, ...records: HistoryRecord[]): void {
    this.#violations.push({ check: 'versions', message, records });
  }
}

function byVersion(a: Change, b: Change): number {
  return a.version - b.version;
}

/** The latest time at which a client was shown a record. */
function latestTime(record: HistoryRecord): number {
  return 'end' in record ? record.end : record.at;
}

/** Whether a write may have been done after a change of the same object, as far as their times tell. */
export function mayFollow({ outcome, end }: WriteRecord, change: Change | undefined): boolean {
  return outcome === 'unknown' || end >= (change?.write?.start ?? 0);
}

/** The place of a namespace. */
export function namespacePlace(namespace: string): ObjectPlace {
  return { resource: 'namespaces', namespace: '', name: namespace };
}

function isShared({ resource }: ObjectPlace): boolean {
  return sharedResources.has(resource);
}

function collectionKey({ resource, namespace }: { resource: string; namespace: string }): string {
  return `${resource}/${namespace}`;
}

function takeFirst<Item>(items: Item[], isMatch: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(isMatch);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}

/** Every state of an object that a client was shown, events first: they say what kind of change it was. */
function* findSights(history: History): Iterable<Sight> {
  const resources = new Map([...history.watchers].map(([name, { resource }]) => [name, resource]));
  for (const record of history.events) {
    const { namespace, name, version, value, holds, event } = record;
    const place = { resource: resources.get(record.watcher) ?? '', namespace, name };
    const state = { version, value, ...(holds && { holds }) };
    yield { ...place, key: placeKey(place), state, event, record };
  }
  for (const record of history.reads) {
    const { resource, namespace, name, found } = record;
    const place = { resource, namespace, name };
    if (found) yield { ...place, key: placeKey(place), state: found, event: undefined, record };
  }
  for (const record of history.lists) {
    for (const { namespace, name, ...state } of record.items) {
      const place = { resource: record.resource, namespace, name };
      yield { ...place, key: placeKey(place), state, event: undefined, record };
    }
  }
}
