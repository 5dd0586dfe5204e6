import { isReservedKey, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/** The prefix of reserved keys in a backend: sorts before every object key, so a range of objects has none. */
const reservedMark = '-reserved';

/** The first byte of deletion marks: sorts before every object key. */
const deletionMarkByte = 1;

/** A half-open range of a backend's keys. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** How keys lie in a backend: objects below `<root>/`, reserved keys below `<root>-reserved/`. */
export interface KeyLayout {
  /** The backend's key of a storage key. */
  toBytes(key: StorageKey): Buffer;
  /** The storage key of a backend's key. */
  toKey(bytes: Uint8Array): StorageKey;
  /** A key among those of objects that is none: writing it makes a revision visible to a watch of objects. */
  readonly bookmark: Buffer;
  /** Such a key for each position of a batch: written before the deletions of the transaction at that position. */
  deletionMark(position: number): Buffer;
  /** The position that a deletion mark is for; undefined for every other key. */
  positionOfMark(key: Uint8Array): number | undefined;
  /** Where all deletion marks lie. */
  readonly deletionMarks: KeyRange;
  /** Where all objects lie, the bookmark and the deletion marks. */
  readonly objects: KeyRange;
  /** The keys that begin with a prefix, those after `startAfter` if that is given. */
  below(prefix: StorageKey, startAfter?: StorageKey): KeyRange;
}

/** The layout below a root, which is empty or a path such as `/binnacle`. */
export function createKeyLayout(root: string): KeyLayout {
  const toBytes = (key: StorageKey): Buffer =>
    Buffer.from(isReservedKey(key) ? `${root}${reservedMark}${key}` : `${root}${key}`, 'utf8');
  const rootLength = Buffer.byteLength(root);
  const bookmark = Buffer.from(`${root}/`, 'utf8');
  const marks = Buffer.concat([bookmark, Buffer.of(deletionMarkByte)]);
  const firstObject = prefixEnd(marks);
  return {
    bookmark,
    objects: { start: bookmark, end: prefixEnd(bookmark) },
    deletionMarks: { start: marks, end: firstObject },
    deletionMark: position => Buffer.concat([marks, Buffer.of(position)]),
    positionOfMark: key =>
      key.length === marks.length + 1 && key[rootLength + 1] === deletionMarkByte ? key.at(-1) : undefined,
    toBytes,
    toKey(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', rootLength);
      return storageKeyFrom(text.startsWith(reservedMark) ? text.slice(reservedMark.length) : text);
    },
    below(prefix, startAfter) {
      const start = toBytes(prefix);
      const first = start.equals(bookmark) ? firstObject : start;
      const next = startAfter === undefined ? first : after(toBytes(startAfter));
      return { start: Buffer.compare(next, first) > 0 ? next : first, end: prefixEnd(start) };
    },
  };
}

/** The first key after one. */
function after(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)]);
}

/** The first key after all that begin with the given bytes, which end in a byte of UTF-8 text and so never in 0xff. */
function prefixEnd(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return end;
}
