import type { BackendRefusal } from '@binnacle/backend-access';
import type { Change, Revision } from '@binnacle/storage-contract';

/** One message of a change feed about one partition. */
export type PartitionMessage =
  /** All changes of one partition after the revision `after` up to `revision`, in revision order. */
  | {
      readonly kind: 'changes';
      readonly partition: number;
      readonly after: Revision;
      readonly revision: Revision;
      readonly changes: readonly FeedChange[];
    }
  /**
   * The partition cannot be followed without a gap: its types must be listed again. `after`, if known, is the revision after
   * which changes continue; `isSetBack` says whether the store was set back to an older state.
   */
  | {
      readonly kind: 'gap';
      readonly partition: number;
      readonly after?: Revision;
      readonly isSetBack?: boolean;
    };

/** One message of a change feed. */
export type FeedMessage =
  | PartitionMessage
  /** The feed has a new set of partitions. Each continues at the revision of the partition that carried its types before. */
  | { readonly kind: 'partitions' };

/** A change with its publishing time in ms since 1970. */
export interface FeedChange extends Change {
  readonly publishedAt: number;
}

/**
 * Receives the changes of one partition from before the feed was opened, in pieces: the newest piece first, the changes within a
 * piece in revision order.
 */
export interface HistoryReceiver {
  /** Whether earlier changes are needed. */
  readonly isWanted: boolean;
  /** The revision that a piece must reach to join the changes that the receiver already has. */
  readonly joinsAt: Revision;
  receive(changes: readonly FeedChange[]): void;
  /** Completes a piece: the changes received since the previous piece are all changes after `after` up to `upTo`. */
  join(after: Revision, upTo: Revision): Promise<void>;
  /** Discards the changes received since the previous piece, because the piece is incomplete. */
  discard(): void;
}

/**
 * A source of storage changes. Within a partition, changes are in revision order without gaps. After a reconnect a feed may
 * repeat changes; readers drop repeated ones.
 */
export interface ChangeFeed {
  /** Number of partitions; set by `open`. A `partitions` message announces a change of it. */
  readonly partitions: number;
  /**
   * Set while the source answers but its changes cannot be followed: it refuses this service, or its records are not trusted. A
   * source that does not answer is no refusal: everything except watches works without it.
   */
  readonly refusal?: BackendRefusal | undefined;
  /** Whether the feed currently reads changes from storage although Kafka is configured. */
  readonly isDirect?: boolean;
  /** Returns the partition that carries a type's changes. */
  partitionOf(typePrefix: string): number;
  /**
   * Makes the feed deliver changes as soon as possible until the result is disposed of: it stops batching reads. For calls that
   * wait for a revision.
   */
  expedite?(): Disposable;
  /**
   * Tells the feed that watches write no change within the next `milliseconds`: a feed that reads in requests may batch changes
   * for that time. `expedite` ends the throttle.
   */
  throttle?(milliseconds: number): void;
  /**
   * Tells the feed whether any watch runs; default: true. Without watches, a feed that reads in requests may batch more changes
   * when its requests follow each other quickly. `expedite` and the first watch end that.
   */
  setWatched?(isWatched: boolean): void;
  /**
   * Starts at the current end of the feed and calls `onMessage` for every later message until the signal aborts. Resolves when
   * that end is known: a list read afterwards and the messages together are complete. Reconnects without limit, with back-off and
   * jitter. Rejects only when the signal aborts.
   *
   * A message contains whole revisions: all changes of its partition at `revision` are in it or in an earlier message.
   *
   * `typePrefixes` are the types to follow; default: all. A feed may skip partitions that carry none of them; it delivers every
   * other partition completely.
   */
  open(
    onMessage: (message: FeedMessage) => void,
    signal: AbortSignal,
    typePrefixes?: readonly string[],
  ): Promise<void>;
  /**
   * Reads the changes of one history window (or as many as exist) up to each receiver's `joinsAt`; called after `open`. Resolves
   * when no receiver needs more or no more exist, rejects when the signal aborts. Retries failures. Yields to other work.
   * `receiverOf` returns the receiver of a partition.
   */
  readHistory(receiverOf: (partition: number) => HistoryReceiver, signal: AbortSignal): Promise<void>;
}
