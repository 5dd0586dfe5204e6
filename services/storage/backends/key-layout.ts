import { BoundedMap } from '@binnacle/event-loop';
import { isReservedKey, type StorageKey, storageKeyFrom, typeRevisionKey } from '@binnacle/storage-contract';

/** The prefix of reserved keys in a backend: it sorts before every object key, so a range of objects contains none. */
const reservedMark = '-reserved';

/** The first byte of deletion marks: it sorts before every object key. */
const deletionMarkByte = 1;

/** The last byte of the trace mark, which is no position. */
const traceMarkByte = 255;

/** A half-open range of a backend's keys. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** The layout of keys in a backend: objects below `<root>/`, reserved keys below `<root>-reserved/`. */
export interface KeyLayout {
  /** Converts a storage key to the key of the backend. */
  toBytes(key: StorageKey): Buffer;
  /** Returns the backend's key of the revision of a type's last write. It is shared: callers do not change it. */
  typeRevisionBytes(typePrefix: StorageKey): Buffer;
  /** Converts a key of the backend to the storage key. */
  toKey(bytes: Uint8Array): StorageKey;
  /** A key in the range of objects that is no object: writing it makes a revision visible to a watch of objects. */
  readonly bookmark: Buffer;
  /** Returns the deletion mark of a position of a batch: a key that is written before the deletions of the transaction there. */
  deletionMark(position: number): Buffer;
  /** Returns the position of a deletion mark; undefined for other keys. */
  positionOfMark(key: Uint8Array): number | undefined;
  /**
   * A key beside the deletion marks that is written after everything else of a batch whose writes are traced. Releases that do not know
   * it take it for a deletion mark without a deletion, and so pass over it.
   */
  readonly traceMark: Buffer;
  /** The range of all deletion marks and the trace mark. */
  readonly deletionMarks: KeyRange;
  /** The range of all objects, the bookmark and the deletion marks. */
  readonly objects: KeyRange;
  /** Returns the range of keys that begin with a prefix, after `startAfter` if that is given. */
  below(prefix: StorageKey, startAfter?: StorageKey): KeyRange;
}

/** Creates the layout below a root, which is empty or a path such as `/binnacle`. */
export function createKeyLayout(root: string): KeyLayout {
  const toBytes = (key: StorageKey): Buffer =>
    Buffer.from(isReservedKey(key) ? `${root}${reservedMark}${key}` : `${root}${key}`, 'utf8');
  const typeRevisions = new BoundedMap<StorageKey, Buffer>(1000);
  const rootLength = Buffer.byteLength(root);
  const bookmark = Buffer.from(`${root}/`, 'utf8');
  const marks = Buffer.concat([bookmark, Buffer.of(deletionMarkByte)]);
  const firstObject = prefixEnd(marks);
  return {
    bookmark,
    objects: { start: bookmark, end: prefixEnd(bookmark) },
    deletionMarks: { start: marks, end: firstObject },
    deletionMark: position => Buffer.concat([marks, Buffer.of(position)]),
    traceMark: Buffer.concat([marks, Buffer.of(traceMarkByte)]),
    positionOfMark: key =>
      key.length === marks.length + 1 &&
      key[rootLength + 1] === deletionMarkByte &&
      key.at(-1) !== traceMarkByte
        ? key.at(-1)
        : undefined,
    toBytes,
    typeRevisionBytes(typePrefix) {
      let bytes = typeRevisions.get(typePrefix);
      if (bytes === undefined) {
        bytes = toBytes(typeRevisionKey(typePrefix));
        typeRevisions.set(typePrefix, bytes);
      }
      return bytes;
    },
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

/** Returns the first key after a key. */
function after(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)]);
}

/** Returns the first key after all that begin with the given bytes, which are UTF-8 text and so never end in 0xff. */
function prefixEnd(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return end;
}
