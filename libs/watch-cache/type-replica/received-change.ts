import type { Change, Revision, StorageKey } from '@binnacle/storage-contract';
import type { FeedChange } from '../contract/feed.ts';
import { ownCopy } from '../object-store/stored-object.ts';

/** A change with bytes of its own: the bytes of the feed are views into its messages. */
export interface ReceivedChange {
  readonly type: Change['type'];
  readonly key: StorageKey;
  readonly revision: Revision;
  /** The object after the change; empty for a deletion. */
  readonly stored: Buffer;
  /** The object before the change, if requested. */
  readonly previous: Buffer | undefined;
  /** Times at which storage committed the change, it was published, and this cache received it, in ms since 1970. */
  readonly committed: number;
  readonly published: number;
  readonly received: number;
  /** See `Change.traceparent`. */
  readonly traceparent?: string;
}

/** Copies a change, and with `withPrevious` the state before it. */
export function receivedChangeFrom(
  change: FeedChange,
  received: number,
  withPrevious: boolean,
): ReceivedChange {
  const { type, key, revision, value, previousValue, committedAt, publishedAt, traceparent } = change;
  const own = {
    type,
    key,
    revision,
    stored: ownCopy(value),
    previous: withPrevious && previousValue.length > 0 ? ownCopy(previousValue) : undefined,
    committed: committedAt,
    published: publishedAt,
    received,
  };
  return traceparent === undefined ? own : { ...own, traceparent };
}
