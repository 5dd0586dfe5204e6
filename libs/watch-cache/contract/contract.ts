import type { ApiObject, FieldSelector, LabelSelector } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { StoredItem } from '@binnacle/codecs';
import type { CallContext } from '@binnacle/proto';
import type { Revision, StorageKey } from '@binnacle/storage-contract';

/**
 * A local, ordered replica of object types, kept up to date by a change feed.
 *
 * Order and completeness: the cache applies every change of a type once, in revision order. `TypeCache.revision` only grows; the
 * cache has applied all changes of the type up to it and none after it. When the feed stalls, the revision of the cache does not
 * advance. After a gap in the feed the cache lists the type again and ends the type's watches with `expired`.
 */
export interface WatchCache extends AsyncDisposable {
  /** Returns the replica of a type; throws TypeNotHeld when the cache does not hold the type. */
  type(definition: ResourceDefinition): TypeCache;
  /** Returns the replica of a type; undefined when the cache does not hold the type. */
  find(definition: ResourceDefinition): TypeCache | undefined;
  /**
   * Adds a type and returns its replica; a type that the cache holds already is left unchanged. The event window of the type
   * begins at the call: watches from earlier revisions are expired. `ready` and `isReady` do not include an added type;
   * `TypeCache.waitFor(1)` waits for it. Throws TypeNotHeld when `isFixed` is set.
   */
  add(definition: ResourceDefinition): TypeCache;
  /** Ends all watches of a type with `closed`, so that clients resume them: the representation of the objects has changed. */
  endWatches(definition: ResourceDefinition): void;
  /** Removes a type: ends its watches with `stopping` and refuses requests that wait for a revision of it. */
  remove(definition: ResourceDefinition): Promise<void>;
  /** Resolves once every type is listed and follows the feed. */
  ready(): Promise<void>;
  /** Whether every type has been listed once, for readiness checks. A type that is listed again serves its old state meanwhile. */
  readonly isReady: boolean;
  /**
   * Ends all watches for a graceful stop, each after a last bookmark if the client wants bookmarks; later watches end
   * immediately. Spreads the ends over `overMs` milliseconds, at most 20 for each watch; default: 0, as fast as the ends can be
   * written. Calls that wait for a revision are served meanwhile, and refused after `overMs`.
   */
  drain(overMs?: number): Promise<void>;
}

/** The replica of one type. */
export interface TypeCache {
  readonly definition: ResourceDefinition;
  /** The cache has applied all changes of this type up to this revision. */
  readonly revision: Revision;
  /** The event window contains all changes after this revision: a watch can start at it. */
  readonly oldestRevision: Revision;
  /** Number of objects of the type in all namespaces. */
  readonly size: number;
  /**
   * Resolves when `revision` reaches at least the given revision. Rejects with a `Timeout` StatusError when the call's signal
   * aborts or its deadline passes, and with `TooManyRequests` when too many calls wait already.
   */
  waitFor(revision: Revision, call: CallContext): Promise<void>;
  get(namespace: string, name: string): CachedObject | undefined;
  /** Returns the matching objects in the order of their storage keys (namespace `a-b` before `a`), all as of `revision`. */
  list(query: CacheQuery): CacheList;
  /**
   * Returns one page of such a list, also as of an earlier revision: the cache undoes later changes that the event window
   * contains. Undefined when the window does not contain all of them, when there are too many of them, and for a revision that
   * the cache has not reached.
   */
  page(query: CachePageQuery): CachePage | undefined;
  /**
   * Adds a watcher. The sink receives events in revision order, without gaps or duplicates, until the watch ends; the sink's
   * `end` is called exactly once. A start before `oldestRevision` ends the watch with `expired`, immediately or, while the cache
   * still reads history, once that history does not reach back to the start.
   */
  watch(watch: WatchRequest): Watcher;
  /**
   * Calls the listener for every applied change, in order; returns a function that unsubscribes it. For caches built on this one:
   * additions, changes and removals of objects that a new listing shows are reported as changes too.
   */
  subscribe(listener: (event: CacheEvent) => void): () => void;
}

/** One object of the cache: the stored bytes and lazily derived values. */
export interface CachedObject extends StoredItem {
  readonly key: StorageKey;
  readonly namespace: string;
  readonly name: string;
  /** Revision of the object's last write; 0 for a state before the event window whose revision is unknown. */
  readonly revision: Revision;
  /** Labels, parsed and kept on first use. Must not be modified. */
  readonly labels: Readonly<Record<string, string>>;
  /** Selectable fields of the kind, always including `metadata.name` and `metadata.namespace`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Parses the object with its resourceVersion; each call returns a new copy that the caller may modify. */
  parse(): ApiObject;
  /** Returns the result of `compute`, computed once for this version of the object and cached under `slot`. */
  derived<T>(slot: symbol, compute: (object: CachedObject) => T): T;
}

/** Selects the objects of a list or watch. */
export interface CacheQuery {
  /** Undefined: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelSelector | undefined;
  readonly fieldSelector?: FieldSelector | undefined;
}

/** Result of a list of the cache. */
export interface CacheList {
  readonly objects: readonly CachedObject[];
  readonly revision: Revision;
}

/** Selects one page of a list. */
export interface CachePageQuery extends CacheQuery {
  /** Only objects with greater keys; undefined: from the first object. */
  readonly startAfter?: StorageKey | undefined;
  /** Maximum number of objects; 0: no limit. */
  readonly limit: number;
  /** Revision of the state to list; undefined: the current state. */
  readonly atRevision?: Revision | undefined;
}

/** One page of a list of the cache. */
export interface CachePage extends CacheList {
  /** Whether further matching objects follow this page. */
  readonly hasMore: boolean;
  /** Number of matching objects after this page; undefined with a selector, because the cache would have to match all of them. */
  readonly remaining: number | undefined;
}

/** One applied change. */
export interface CacheEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Revision of the change; for a deletion it is greater than the object's own revision. */
  readonly revision: Revision;
  /** The object after the change; for a deletion the one before it. */
  readonly object: CachedObject;
  /** The object before the change, undefined for ADDED. */
  readonly previous: CachedObject | undefined;
  /** Time at which this cache received the change, in ms since 1970. */
  readonly received: number;
}

/** One event of a watch, after its selectors. */
export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object to send; when the object stopped matching the selectors, its last state that matched. */
  readonly object: CachedObject;
  /** The resourceVersion to send: the revision of the change. */
  readonly revision: Revision;
}

/** Prepares objects for an encoding that cannot encode them as the cache stores them. */
export interface WatchPreparation {
  isReady(object: CachedObject): boolean;
  /** Prepares objects; undefined when they are ready. A rejection ends the waiting watches with `failed`. */
  prepare(objects: readonly CachedObject[]): Promise<void> | undefined;
}

/** Encodes events as bytes on the wire. Watchers with equal encoding ids share every buffer. */
export interface WatchEncoding {
  /** Equal for encodings that produce equal bytes. */
  readonly id: string;
  /** Absent: all objects are ready. A watch whose next object is not ready waits for its preparation and then catches up. */
  readonly preparation?: WatchPreparation;
  /** Encodes one frame of a ready object, HTTP chunk framing included. Called once for each event and group. */
  event(event: WatchedEvent): Buffer;
  /** Encodes a bookmark frame at a revision; with `initialEventsEnd` it closes the initial list. */
  bookmark(revision: Revision, initialEventsEnd: boolean): Buffer;
}

/** Receives the bytes of one watcher: a bounded buffer to one client. */
export interface WatchSink {
  /**
   * Accepts whole frames. Returns false when the sink's buffer exceeds its bound: the cache then ends a live watch with `slow`,
   * so that the client resumes it, and pauses a watch that catches up. The frames are accepted in either case. Watchers share the
   * buffer; it must not be modified.
   */
  write(frames: Buffer): boolean;
  /**
   * Accepted bytes that are not sent yet. While a watch catches up (initial state, replay) the cache writes at most 64 KiB at a
   * time, and only when this is small: a long history does not make a watcher slow.
   */
  readonly buffered: number;
  /** Called once, as the last call; `failure` is the thrown error of `failed`. */
  end(reason: WatchEnd, failure?: unknown): void;
}

/** Reason why a watch ended. */
export type WatchEnd =
  /** The client closed the watch or its timeout has passed. */
  | 'closed'
  /**
   * The client did not keep up: its sink exceeded its bound, or accepted nothing within `watchCacheStallTimeout` while the watch
   * caught up.
   */
  | 'slow'
  /** The start of the watch, or the revision it had reached, is no longer in the event window. */
  | 'expired'
  /** Preparing an object for the encoding failed. */
  | 'failed'
  /** The server is stopping. */
  | 'stopping';

/** Start of a watch. */
export type WatchStart =
  /** Changes after this revision, without synthetic events. A watch from a future revision waits until the cache reaches it. */
  | { readonly after: Revision }
  /**
   * Synthetic ADDED events for all existing objects first, then changes; `bookmark` closes the initial events. The watch waits
   * until the cache reaches `atLeast`, so that the objects are at least that recent. Default: the current state.
   */
  | { readonly initial: true; readonly bookmark: boolean; readonly atLeast?: Revision };

/** One watch request of a client. */
export interface WatchRequest extends CacheQuery {
  readonly start: WatchStart;
  readonly encoding: WatchEncoding;
  readonly sink: WatchSink;
  /** Whether the client wants a bookmark every `watchCacheBookmarkInterval`. */
  readonly bookmarks: boolean;
}

/** A running watch. */
export interface Watcher {
  /** The watch has written all matching changes up to this revision to the sink. */
  readonly revision: Revision;
  /** Ends the watch with `closed`; with `bookmark`, and if the request asked for bookmarks, after a last bookmark. Idempotent. */
  close(options?: { readonly bookmark: boolean }): void;
}

/** Thrown for a type that the watch cache does not hold. */
export class TypeNotHeld extends Error {
  override readonly name = 'TypeNotHeld';
}
