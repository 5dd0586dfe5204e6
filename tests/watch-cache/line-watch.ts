import { decodeStored } from '@binnacle/codecs';
import type { Change } from '@binnacle/storage-contract';
import type { TypeCache, WatchEncoding, WatchEnd, Watcher, WatchStart } from '@binnacle/watch-cache';

const encoding: WatchEncoding = {
  id: 'lines',
  event: ({ type, object, revision }) => {
    const text = decodeStored(object.stored, revision).metadata.labels?.['text'];
    return Buffer.from(`${type} ${object.key}@${revision} ${text}\n`);
  },
  bookmark: (revision, isInitialEnd) =>
    Buffer.from(`BOOKMARK ${isInitialEnd ? 'end' : 'turn'}@${revision}\n`),
};

/** A watch whose events are kept as lines. */
export interface LineWatch {
  readonly watcher: Watcher;
  /** Events, bookmarks left out. */
  lines(): string[];
  /** The revision of the bookmark that closes the initial part. */
  initialEnd(): number | undefined;
  readonly ends: WatchEnd[];
}

/** Watches all of a type. */
export function watchLines(type: TypeCache, start: WatchStart): LineWatch {
  const parts: string[] = [];
  const ends: WatchEnd[] = [];
  const sink = {
    buffered: 0,
    write(frames: Buffer) {
      parts.push(frames.toString());
      return true;
    },
    end: (reason: WatchEnd) => void ends.push(reason),
  };
  const watcher = type.watch({ start, encoding, sink, bookmarks: false });
  const all = () => parts.join('').split('\n').slice(0, -1);
  return {
    watcher,
    ends,
    lines: () => all().filter(line => !line.startsWith('BOOKMARK')),
    initialEnd() {
      const found = all().find(line => line.startsWith('BOOKMARK end'));
      return found === undefined ? undefined : Number(found.split('@')[1]);
    },
  };
}

/** The lines that a watch after a revision has to bring. */
export function listLines(history: readonly Change[], after: number): string[] {
  const types = { created: 'ADDED', updated: 'MODIFIED', deleted: 'DELETED' };
  return history
    .filter(change => change.revision > after)
    .map(({ type, key, revision, value, previousValue }) => {
      const shown = decodeStored(type === 'deleted' ? previousValue : value, revision);
      return `${types[type]} ${key}@${revision} ${shown.metadata.labels?.['text']}`;
    });
}

/** The lines of the existing objects at a revision. */
export function listInitialLines(history: readonly Change[], revision: number): string[] {
  const objects = new Map<string, string>();
  for (const change of history) {
    if (change.revision > revision) break;
    if (change.type === 'deleted') objects.delete(change.key);
    else objects.set(change.key, listLines([change], 0)[0]?.replace(/^\w+/, 'ADDED') ?? '');
  }
  return [...objects.keys()].sort().map(key => objects.get(key) ?? '');
}
