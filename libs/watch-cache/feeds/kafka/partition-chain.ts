import type { WatchEvent } from '@binnacle/proto';
import { type Change, type Revision, storageKeyFrom } from '@binnacle/storage-contract';
import type { FeedChange, PartitionMessage } from '../../contract/feed.ts';

const changeTypes: Readonly<Record<string, Change['type'] | undefined>> = {
  CREATED: 'created',
  UPDATED: 'updated',
  DELETED: 'deleted',
};

/**
 * Converts the records of one partition to messages and detects missing records.
 *
 * Publishers can overlap and producers can resend: records that are not newer than the last read revision are dropped. Every
 * record names the previous record's revision; if that revision was not read, there is a gap. The records of one revision are in
 * one batch, and therefore in one call of `take`. Records of a revision that arrive in a later call count as a gap, because
 * receivers already treat the revision as complete.
 */
export class PartitionChain {
  readonly #partition: number;
  /** The last revision read; undefined at the start and after a reset, when the next record begins the chain. */
  #last: Revision | undefined;
  /** Whether all changes of the last revision were read. */
  #isLastWhole = false;
  /** Keys read at the last revision. */
  #lastKeys = new Set<string>();
  #messages: PartitionMessage[] = [];
  /** The revision after which the changes of the next message are complete; undefined before its first event. */
  #after: Revision | undefined;
  #changes: FeedChange[] = [];

  constructor(partition: number) {
    this.#partition = partition;
  }

  /** Converts the records of whole batches. */
  take(events: readonly WatchEvent[]): readonly PartitionMessage[] {
    const lastBefore = this.#last;
    let hasNews = false;
    for (const event of events.flatMap(withProgress)) {
      if (event.type === 'RESET') {
        this.#gap();
        hasNews = false;
      } else if (this.#isRepeated(event)) {
        if (event.type === 'PROGRESS' && event.revision === this.#last) this.#isLastWhole = true;
      } else {
        const isLate = event.revision === this.#last && event.revision === lastBefore && !hasNews;
        const misses = this.#last !== undefined && event.previousRevision > this.#last;
        if (isLate || misses) this.#gap();
        this.#accept(event);
        hasNews = true;
      }
    }
    if (hasNews) this.#finish();
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /** Restarts the chain at the next record; returns the gap message. */
  reset(): PartitionMessage {
    this.#last = undefined;
    this.#isLastWhole = false;
    this.#lastKeys.clear();
    this.#changes = [];
    this.#after = undefined;
    return { kind: 'gap', partition: this.#partition };
  }

  #isRepeated(event: WatchEvent): boolean {
    if (this.#last === undefined || event.revision > this.#last) return false;
    if (event.revision < this.#last || event.type === 'PROGRESS') return true;
    return this.#isLastWhole || this.#lastKeys.has(event.key);
  }

  #accept(event: WatchEvent): void {
    this.#after ??= this.#last ?? Math.min(event.previousRevision, event.revision);
    if (event.revision !== this.#last) {
      this.#last = event.revision;
      this.#lastKeys.clear();
      this.#isLastWhole = false;
    }
    const type = changeTypes[event.type];
    if (type === undefined) {
      this.#isLastWhole = true;
      return;
    }
    this.#lastKeys.add(event.key);
    const { revision, value, previousValue, committedAt, publishedAt, traceparent } = event;
    const key = storageKeyFrom(event.key);
    const change = { type, revision, key, value, previousValue, committedAt, publishedAt };
    const readable = event.unreadable === true ? { ...change, isUnreadable: true } : change;
    this.#changes.push(traceparent === undefined ? readable : { ...readable, traceparent });
  }

  #gap(): void {
    if (this.#after !== undefined) this.#finish();
    this.#messages.push(this.reset());
  }

  #finish(): void {
    if (this.#last === undefined) return;
    const { kind, partition } = { kind: 'changes' as const, partition: this.#partition };
    const after = this.#after ?? this.#last;
    this.#messages.push({ kind, partition, after, revision: this.#last, changes: this.#changes });
    this.#changes = [];
    this.#after = undefined;
  }
}

/** Splits a record that also reports the partition's progress into two events. */
function withProgress(event: WatchEvent): readonly WatchEvent[] {
  const { type, revision, reached = 0 } = event;
  if (type === 'RESET' || reached <= revision) return [event];
  return [event, { ...event, type: 'PROGRESS', revision: reached, previousRevision: revision }];
}
