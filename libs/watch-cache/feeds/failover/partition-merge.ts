import type { Revision } from '@binnacle/storage-contract';
import type { PartitionMessage } from '../../contract/feed.ts';

/** The changes of a partition, from either source. */
export type Changes = Extract<PartitionMessage, { kind: 'changes' }>;

/**
 * One partition of a feed with two sources, the topic and storage itself.
 *
 * Each source is in revision order and complete from one message to the next. A message is passed on where it begins at
 * or before the revision that was reached and ends after it; what it repeats is left to the receiver, which drops changes
 * up to that revision. So the sources may bring the same changes, be apart in time and alternate, and what is
 * passed on is in order and complete all the same.
 */
export class PartitionMerge {
  readonly number: number;
  readonly #onMessage: (message: PartitionMessage) => void;
  #revision: Revision | undefined;
  #topicRevision: Revision | undefined;
  #needsReset = false;

  constructor(
    number: number,
    onMessage: (message: PartitionMessage) => void,
    revision: Revision | undefined = undefined,
  ) {
    this.number = number;
    this.#onMessage = onMessage;
    this.#revision = revision;
  }

  /** Everything up to here was passed on; undefined before the first message and after a gap. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** How far the topic follows on what was passed on; undefined while changes are missing between the two. */
  get topicRevision(): Revision | undefined {
    return this.#topicRevision;
  }

  /** Both sources go on from a revision, unless one has brought something already. */
  beginAt(revision: Revision): void {
    this.#revision ??= revision;
  }

  /** Takes a message of the topic. While storage is followed, it brings what the topic leaves out. */
  takeTopic(message: PartitionMessage, isDirect: boolean): void {
    if (message.kind === 'gap') {
      this.#topicRevision = undefined;
      this.#needsReset = false;
      if (!isDirect) this.#gap();
    } else if (message.kind === 'changes' && !this.#needsReset) {
      const isHole = this.#revision !== undefined && message.after > this.#revision;
      if (isHole && isDirect) {
        this.#topicRevision = undefined;
        return;
      }
      if (isHole) this.#gap();
      this.#pass(message);
      this.#topicRevision = message.revision;
    }
  }

  /** Takes changes that storage sent. */
  takeDirect(message: Changes): void {
    // Another stream, which began earlier, brings what is missing between.
    if (this.#revision !== undefined && message.after > this.#revision) return;
    this.#pass(message);
  }

  /**
   * Storage cannot go on from where it was, but from a revision. `isSetBack`: its revisions are another store's: the topic
   * is not believed before it says so itself.
   */
  directGap(revision: Revision, isSetBack: boolean): void {
    this.#gap();
    this.#revision = revision;
    this.#topicRevision = undefined;
    this.#needsReset = isSetBack;
  }

  #gap(): void {
    this.#revision = undefined;
    this.#onMessage({ kind: 'gap', partition: this.number });
  }

  #pass(message: Changes): void {
    if (this.#revision !== undefined && message.revision <= this.#revision) return;
    this.#revision = message.revision;
    this.#onMessage(message);
  }
}
