/**
 * The records of a history: what clients of one server asked for and were told. A history file has one record a line, as
 * JSON, after a line that names the format. All times are milliseconds of one clock that does not jump, shared by all clients
 * of the history; versions are `metadata.resourceVersion` as decimal text. docs/fault-suite.md describes the file for users.
 */
export type HistoryRecord =
  | WriteRecord
  | ReadRecord
  | ListRecord
  | WatchRecord
  | EventRecord
  | BookmarkRecord
  | WatchEndRecord
  | QuotaRecord
  | FaultRecord
  | SettledRecord;

/** The first line of a history file. */
export const historyHeader = { format: 'binnacle-history', formatVersion: 1 };

/** An object by its place. Objects of the cluster have the namespace ''. */
export interface ObjectPlace {
  /** `configmaps`, or with a group `deployments.apps`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object as a client saw it. */
export interface ObjectState {
  readonly version: string;
  /** Text that tells contents of the object apart. Writes of one object should each write another value. */
  readonly value: string;
  /** Values that no other object may hold at the same time, by their sort: `{"clusterIP": "10.0.0.7"}`. */
  readonly holds?: Readonly<Record<string, string>>;
}

/** When a request was sent, and when its answer came or the client gave up. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A write request: everything about it and its outcome. */
export interface WriteRecord extends Span {
  readonly kind: 'write';
  readonly client: string;
  /** The server that it was sent to; shown in reports only. */
  readonly server?: string;
  readonly verb: 'create' | 'update' | 'delete';
  readonly resource: string;
  readonly namespace: string;
  /** Absent where the server chooses the name and the client did not learn it. */
  readonly name?: string;
  /** The value that the object has afterwards; absent for a deletion. */
  readonly value?: string;
  /** The version that the write demands; absent for one without a precondition. */
  readonly precondition?: string;
  /**
   * `ok`: acknowledged. `refused`: the answer says that it was not done. `unknown`: no answer, or one that leaves the outcome
   * open; such a write may be done at any later time, once, or never.
   */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  /** The version that an acknowledged write gave the object; a deletion may lack it. */
  readonly version?: string;
  readonly holds?: Readonly<Record<string, string>>;
  readonly code?: number;
  readonly reason?: string;
}

/** A read of one object that was answered. */
export interface ReadRecord extends Span {
  readonly kind: 'read';
  readonly client: string;
  readonly server?: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined: the answer was that there is no such object. */
  readonly found?: ObjectState;
  /** Whether the read may be old (`resourceVersion=0`); otherwise it shows every write that ended before it started. */
  readonly mayBeOld?: boolean;
}

/** A complete list of a collection. */
export interface ListRecord extends Span {
  readonly kind: 'list';
  readonly client: string;
  readonly server?: string;
  readonly resource: string;
  /** Absent for a list over all namespaces. */
  readonly namespace?: string;
  readonly version: string;
  readonly items: readonly (ObjectState & { readonly namespace: string; readonly name: string })[];
  readonly mayBeOld?: boolean;
}

/** A watch request that was accepted. The later records of the watcher belong to it until it ends. */
export interface WatchRecord {
  readonly kind: 'watch';
  /** Names a client that follows a collection over one watch after the other. */
  readonly watcher: string;
  readonly server?: string;
  readonly at: number;
  readonly resource: string;
  readonly namespace?: string;
  /** The version after which changes are to come. */
  readonly from: string;
}

/** An event of a watch; for a deletion `version` is that of the deletion. */
export interface EventRecord extends ObjectState {
  readonly kind: 'event';
  readonly watcher: string;
  readonly at: number;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly namespace: string;
  readonly name: string;
}

/** A bookmark of a watch. */
export interface BookmarkRecord {
  readonly kind: 'bookmark';
  readonly watcher: string;
  readonly at: number;
  readonly version: string;
}

/** The end of a watch, by client or server. */
export interface WatchEndRecord {
  readonly kind: 'watch-end';
  readonly watcher: string;
  readonly at: number;
  readonly code?: number;
}

/** A quota that is in force from a version on: no write after it may make more objects than `hard`. */
export interface QuotaRecord {
  readonly kind: 'quota';
  readonly at: number;
  readonly namespace: string;
  /** The resource of the objects that are counted. */
  readonly resource: string;
  readonly hard: number;
  readonly version: string;
}

/** Something that was done to the server; shown in reports only. */
export interface FaultRecord {
  readonly kind: 'fault';
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** From this line on every open watch has been given the time to show all that was written before. At most one. */
interface SettledRecord {
  readonly kind: 'settled';
  readonly at: number;
}

/** The key of an object in maps. */
export function placeKey({ resource, namespace, name }: ObjectPlace): string {
  return `${resource}/${namespace}/${name}`;
}

/** Whether a collection, of one namespace or of all, has objects of that place. */
export function isInCollection(
  collection: { readonly resource: string; readonly namespace?: string },
  place: { readonly resource: string; readonly namespace: string },
): boolean {
  if (collection.resource !== place.resource) return false;
  return collection.namespace === undefined || collection.namespace === place.namespace;
}

/** A version as a number, by which versions are compared. */
export function versionNumber(version: string): number {
  const number = Number(version);
  if (!/^\d{1,16}$/.test(version) || !Number.isSafeInteger(number))
    throw new RangeError(`the version "${version}" is not a decimal number below 2^53`);
  return number;
}
