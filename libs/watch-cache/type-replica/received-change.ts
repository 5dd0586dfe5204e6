import type { Change, Revision, StorageKey } from '@binnacle/storage-contract';
import type { FeedChange } from '../contract/feed.ts';
import { ownCopy } from '../object-store/stored-object.ts';

/** A change out of the feed, with bytes of its own: those of the feed are views into its messages. */
export interface ReceivedChange {
  readonly type: Change['type'];
  readonly key: StorageKey;
  readonly revision: Revision;
  /** The object after the change; empty for a deletion. */
  readonly stored: Buffer;
  /** The object before the change, where it was asked for. */
  readonly previous: Buffer | undefined;
  /** Milliseconds since 1970 at which storage saw it, it was published, and this cache received it. */
  readonly committed: number;
  readonly published: number;
  readonly received: number;
}

/** Copies a change; the state before it only `withPrevious`. */
export function receivedChangeFrom(
  change: FeedChange,
  received: number,
  withPrevious: boolean,
): ReceivedChange {
  const { type, key, revision, value, previousValue, committedAt, publishedAt } = change;
  return {
    type,
    key,
    revision,
    stored: ownCopy(value),
    previous: withPrevious && previousValue.length > 0 ? ownCopy(previousValue) : undefined,
    committed: committedAt,
    published: publishedAt,
    received,
  };
}
