import type { BackendRefusal } from '@binnacle/backend-access';
import type { Change, Revision } from '@binnacle/storage-contract';

/** One message of a change feed about a partition. */
export type PartitionMessage =
  /** Changes of one partition in revision order: all of them after the revision `after`, up to `revision`. */
  | {
      readonly kind: 'changes';
      readonly partition: number;
      readonly after: Revision;
      readonly revision: Revision;
      readonly changes: readonly FeedChange[];
    }
  /**
   * The partition cannot be followed without a gap from here: list its types again. Where it is known, with the revision
   * after which changes come again, and whether the store was set back to an older state.
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
  /** The feed has other partitions from here on. Each goes on where the one that carried its types had come to. */
  | { readonly kind: 'partitions' };

/** A change with the time at which it was published. */
export interface FeedChange extends Change {
  readonly publishedAt: number;
}

/**
 * Receives the changes of one partition from before the feed was opened, in pieces: the newest piece first, the changes of
 * a piece in revision order.
 */
export interface HistoryReceiver {
  /** Whether earlier changes than those received so far are needed. */
  readonly isWanted: boolean;
  /** The revision that a piece must reach to join what is there. */
  readonly joinsAt: Revision;
  receive(changes: readonly FeedChange[]): void;
  /** The piece is complete: the changes received since the piece before are all between these revisions. */
  join(after: Revision, upTo: Revision): Promise<void>;
  /** The changes received since the piece before lead to nothing: some are missing. */
  discard(): void;
}

/**
 * The way changes come from storage, whichever it is. Within a partition, changes come in revision order, none left
 * out; what was read before may come again after a reconnect, and readers drop it.
 */
export interface ChangeFeed {
  /** How many partitions there are; known after `open`. They change where a message says so. */
  readonly partitions: number;
  /**
   * Set while the changes cannot be followed although their source answers: it refuses this service, or what it sends
   * cannot be trusted. A source that is away is no refusal: everything but watches goes on without it.
   */
  readonly refusal?: BackendRefusal | undefined;
  /** Whether changes come from storage at the moment, although they should come through Kafka. */
  readonly isDirect?: boolean;
  /** The partition that carries a type's changes. */
  partitionOf(typePrefix: string): number;
  /**
   * Until the result is disposed of, changes come as soon as they can: a feed that lets some gather before it reads on
   * does not. For calls that wait for a revision.
   */
  expedite?(): Disposable;
  /**
   * Nothing that comes within so many milliseconds goes on to a watch before they are over: a feed that reads in requests
   * may let it gather for so long. `expedite` ends that.
   */
  throttle?(milliseconds: number): void;
  /**
   * Whether changes go on to any watch; true until it is said otherwise. While they do not, a feed that reads in requests may let more of
   * them gather once its requests follow each other fast. `expedite` ends that, and so does a first watch.
   */
  setWatched?(isWatched: boolean): void;
  /**
   * Starts at the current end and calls `onMessage` for everything from there on, until the signal aborts. Resolves when
   * that end is known, so that a list read after it and the messages together leave nothing out. Reconnects by itself, with back-off and jitter, for ever.
   * A message holds whole revisions: all changes of its partition at `revision` are in it or came before. Rejects
   * only when the signal aborts.
   *
   * `typePrefixes` are the only types that are followed, default all: a feed may leave out partitions that carry none of
   * them. Those that it brings, it brings whole.
   */
  open(
    onMessage: (message: FeedMessage) => void,
    signal: AbortSignal,
    typePrefixes?: readonly string[],
  ): Promise<void>;
  /**
   * Reads the changes of one history window back (or as far as there is) up to what the receivers have; after `open`.
   * Resolves when no receiver wants more or there is no more, rejects when the signal aborts. Retries by itself. Yields
   * to other work. `receiverOf` gives the receiver of a partition.
   */
  readHistory(receiverOf: (partition: number) => HistoryReceiver, signal: AbortSignal): Promise<void>;
}
