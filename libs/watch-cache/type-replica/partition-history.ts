import type { Revision } from '@binnacle/storage-contract';
import type { FeedChange, HistoryReceiver } from '../contract/feed.ts';
import type { TypeReplica } from './type-replica.ts';

/** Passes the history of one partition to those of its types that wait for it. */
export class PartitionHistory implements HistoryReceiver {
  readonly #replicas: ReadonlyMap<string, TypeReplica>;
  readonly #prefixOf: (change: FeedChange) => string;

  constructor(replicas: readonly TypeReplica[], prefixOf: (change: FeedChange) => string) {
    this.#replicas = new Map(replicas.map(replica => [replica.storagePrefix, replica]));
    this.#prefixOf = prefixOf;
  }

  get isWanted(): boolean {
    return this.#waiting().length > 0;
  }

  get joinsAt(): Revision {
    return Math.max(0, ...this.#waiting().map(({ oldestRevision }) => oldestRevision));
  }

  receive(changes: readonly FeedChange[]): void {
    for (const change of changes) this.#replicas.get(this.#prefixOf(change))?.receivePast(change);
  }

  async join(after: Revision, upTo: Revision): Promise<void> {
    for (const replica of this.#waiting()) await replica.joinPast(after, upTo);
  }

  discard(): void {
    for (const replica of this.#waiting()) replica.discardPast();
  }

  #waiting(): TypeReplica[] {
    return [...this.#replicas.values()].filter(({ awaitsHistory }) => awaitsHistory);
  }
}
