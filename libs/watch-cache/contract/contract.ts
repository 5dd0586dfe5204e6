import type { ApiObject, FieldSelector, LabelSelector } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { StoredItem } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey } from '@binnacle/storage-contract';

/**
 * A local, ordered replica of some object types, kept up to date by a change feed.
 *
 * Order and completeness. For each type the cache applies every change once, in revision order. `TypeCache.revision`
 * only grows; everything of the type up to it is applied, and nothing after it. When the feed stalls the cache
 * stands still; when it cannot continue without a gap it lists the type anew, ends the type's watches with
 * `expired`, and goes on.
 */
export interface WatchCache extends AsyncDisposable {
  /** The replica of a type; throws TypeNotHeld for a type the cache does not hold. */
  type(definition: ResourceDefinition): TypeCache;
  /** The replica of a type; undefined for a type the cache does not hold. */
  find(definition: ResourceDefinition): TypeCache | undefined;
  /**
   * Begins to hold a type, and gives its replica; one that is held already stays as it is. Its event window begins now:
   * watches from before that are expired. `ready` and `isReady` do not wait for it, `TypeCache.waitFor(1)` does. Throws
   * TypeNotHeld in a cache whose types are fixed.
   */
  add(definition: ResourceDefinition): TypeCache;
  /** Ends all watches of a type, which clients can resume: what they are shown has changed. */
  endWatches(definition: ResourceDefinition): void;
  /** Removes a type: its watches end as at a graceful stop, and requests that wait for it are refused. */
  remove(definition: ResourceDefinition): Promise<void>;
  /** Resolves once every type is listed and follows the feed. */
  ready(): Promise<void>;
  /** Whether every type was listed, for readiness checks; a type that is listed anew serves its old state meanwhile. */
  readonly isReady: boolean;
  /**
   * Ends all watches, each after a bookmark if it wants one, and later ones at once; for a graceful stop. Spreads the ends
   * over some milliseconds, at most 20 for each watch; default: as fast as they can be written.
   */
  drain(overMs?: number): Promise<void>;
}

/** The replica of one type. */
export interface TypeCache {
  readonly definition: ResourceDefinition;
  /** Everything of this type up to here is applied. */
  readonly revision: Revision;
  /** Changes after this revision are still in the event window: a watch can start there. */
  readonly oldestRevision: Revision;
  /** Objects of the type, all namespaces together. */
  readonly size: number;
  /**
   * Resolves when `revision` has reached at least this one. Rejects with a `Timeout` StatusError when the call's
   * signal or deadline ends it, and with `TooManyRequests` when too many calls wait already.
   */
  waitFor(revision: Revision, call: CallContext): Promise<void>;
  get(namespace: string, name: string): CachedObject | undefined;
  /** The objects that match, in the order of their keys in the store (namespace `a-b` before `a`), all as of `revision`. */
  list(query: CacheQuery): CacheList;
  /**
   * A part of such a list, also as of an earlier revision: changes since then are undone as far as the event window knows them.
   * Undefined where it does not know them all, where they are too many, and for a revision that the cache has not come to.
   */
  page(query: CachePageQuery): CachePage | undefined;
  /**
   * Adds a watcher. Events go to the sink in revision order, none left out, none twice, until the watch ends; the
   * sink's `end` is called exactly once. Starting before `oldestRevision` ends it at once with `expired`; a cache that is
   * still reading history lets it wait first.
   */
  watch(watch: WatchRequest): Watcher;
  /**
   * Calls back for every change applied, in order; returns what stops it. For caches built on this one: objects that
   * a (new) listing brings, changes or no longer has come as changes too.
   */
  subscribe(listener: (event: CacheEvent) => void): () => void;
}

/** One object as the cache holds it: the stored bytes, and what was worked out from them when first asked for. */
export interface CachedObject extends StoredItem {
  readonly key: StorageKey;
  readonly namespace: string;
  readonly name: string;
  /** Of its last write; 0 for a state before the event window whose revision is not known. */
  readonly revision: Revision;
  /** Parsed on first use, and kept. Not to be changed. */
  readonly labels: Readonly<Record<string, string>>;
  /** Selectable fields of the kind, `metadata.name` and `metadata.namespace` always among them. */
  readonly fields: Readonly<Record<string, string>>;
  /** The parsed object with its resourceVersion, parsed anew each time: the receiver may change it. */
  parse(): ApiObject;
  /** The result of `compute`, computed once for this version of the object and kept under `slot`. */
  derived<T>(slot: symbol, compute: (object: CachedObject) => T): T;
}

/** Which objects a list or watch is about. */
export interface CacheQuery {
  /** Undefined: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelSelector | undefined;
  readonly fieldSelector?: FieldSelector | undefined;
}

/** The result of a list of the cache. */
export interface CacheList {
  readonly objects: readonly CachedObject[];
  readonly revision: Revision;
}

/** The part of a list that is asked for. */
export interface CachePageQuery extends CacheQuery {
  /** Only objects with greater keys; undefined: from the first one on. */
  readonly startAfter?: StorageKey | undefined;
  /** 0: all. */
  readonly limit: number;
  /** The revision whose state is shown; undefined: what is there now. */
  readonly atRevision?: Revision | undefined;
}

/** A part of a list of the cache. */
export interface CachePage extends CacheList {
  /** Whether objects that match come after those of this part. */
  readonly hasMore: boolean;
  /** How many of them; undefined with a selector, for it would have to be asked about all. */
  readonly remaining: number | undefined;
}

/** One change as the cache applied it. */
export interface CacheEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The revision of the change; for a deletion greater than the object's own. */
  readonly revision: Revision;
  /** The object after the change; for a deletion the one before it. */
  readonly object: CachedObject;
  /** The object before the change, undefined for ADDED. */
  readonly previous: CachedObject | undefined;
  /** Milliseconds since 1970 at which this cache received it. */
  readonly received: number;
}

/** One event as a watcher sees it, after its selectors. */
export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object to show; for one that left the selectors, the last state that matched. */
  readonly object: CachedObject;
  /** The resourceVersion to show: the revision of the change. */
  readonly revision: Revision;
}

/** How objects are made ready for an encoding that cannot show them as they lie in the cache. */
export interface WatchPreparation {
  isReady(object: CachedObject): boolean;
  /** Makes objects ready; undefined when they are. A rejection ends the watches that wait with `failed`. */
  prepare(objects: readonly CachedObject[]): Promise<void> | undefined;
}

/** How events become bytes on the wire. Watchers with equal ids share every buffer. */
export interface WatchEncoding {
  /** Equal for encodings that give equal bytes. */
  readonly id: string;
  /** Absent: objects are ready as they are. A watch that comes to one that is not waits, and catches up afterwards. */
  readonly preparation?: WatchPreparation;
  /** One frame, HTTP chunk framing included, of an object that is ready. Called once an event and group. */
  event(event: WatchedEvent): Buffer;
  /** A bookmark frame at a revision; closing the initial list when `initialEventsEnd` is set. */
  bookmark(revision: Revision, initialEventsEnd: boolean): Buffer;
}

/** Where a watcher's bytes go: a bounded way to one client. */
export interface WatchSink {
  /**
   * Takes whole frames. False means that the sink's buffer is over its bound: a watch that follows is then ended with
   * `slow`, and the client resumes elsewhere; one that catches up waits. The frames are taken all the same. The
   * buffer is shared between watchers and must not be changed.
   */
  write(frames: Buffer): boolean;
  /**
   * Bytes that `write` took and that have not gone out. While a watch catches up (initial state, replay) the cache
   * writes on, 64 KiB at a time, when this is small: a long history does not make a watcher slow.
   */
  readonly buffered: number;
  /** Called once, last; with `failed` what was thrown. */
  end(reason: WatchEnd, failure?: unknown): void;
}

/** Why a watch ended. */
export type WatchEnd =
  /** The client closed it or its time was up. */
  | 'closed'
  /** The client did not keep up: its sink was over its bound, or took nothing for long while the watch caught up. */
  | 'slow'
  /** Its start, or the place it had come to, is no longer in the window. */
  | 'expired'
  /** An object could not be made ready for its encoding. */
  | 'failed'
  /** The server is stopping. */
  | 'stopping';

/** Where a watch starts. */
export type WatchStart =
  /** Changes after this revision, no synthetic events. A future revision waits until there is something newer. */
  | { readonly after: Revision }
  /**
   * Synthetic ADDED events for all existing objects first, then changes; `bookmark` closes the initial part. The
   * objects are shown as of `atLeast` or later: the watch waits for the cache to come to it. Default: as they are.
   */
  | { readonly initial: true; readonly bookmark: boolean; readonly atLeast?: Revision };

/** One watch as a client asked for it. */
export interface WatchRequest extends CacheQuery {
  readonly start: WatchStart;
  readonly encoding: WatchEncoding;
  readonly sink: WatchSink;
  /** Bookmarks every minute. */
  readonly bookmarks: boolean;
}

/** A running watch. */
export interface Watcher {
  /** Everything up to here was written to the sink, or did not concern it. */
  readonly revision: Revision;
  /**
   * Ends the watch with `closed`; with `bookmark`, and where the request asked for bookmarks, after a last one.
   * Idempotent.
   */
  close(options?: { readonly bookmark: boolean }): void;
}

/** The watch cache does not hold a type, and was not made to. */
export class TypeNotHeld extends Error {
  override readonly name = 'TypeNotHeld';
}
