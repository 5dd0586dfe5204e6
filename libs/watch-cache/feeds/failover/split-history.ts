import { partitionOf, typePrefixFromKey } from '@binnacle/storage-contract';
import type { FeedChange, HistoryReceiver } from '../../contract/feed.ts';

/** Creates a receiver for history in a single stream; it passes each change to the receiver of its partition. */
export function splitHistory(
  partitions: number,
  receiverOf: (partition: number) => HistoryReceiver,
): HistoryReceiver {
  const receivers = Array.from({ length: partitions }, (_, partition) => receiverOf(partition));
  return {
    get isWanted() {
      return receivers.some(({ isWanted }) => isWanted);
    },
    get joinsAt() {
      return Math.max(...receivers.map(({ joinsAt }) => joinsAt));
    },
    receive(changes: readonly FeedChange[]) {
      const byPartition = Map.groupBy(changes, ({ key }) => partitionOf(typePrefixFromKey(key), partitions));
      for (const [partition, own] of byPartition) receivers[partition]?.receive(own);
    },
    async join(after, upTo) {
      for (const receiver of receivers) await receiver.join(after, upTo);
    },
    discard() {
      for (const receiver of receivers) receiver.discard();
    },
  };
}
