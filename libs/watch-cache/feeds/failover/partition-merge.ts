import type { Revision } from '@binnacle/storage-contract';
import type { PartitionMessage } from '../../contract/feed.ts';

/** Changes of a partition, from either source. */
export type Changes = Extract<PartitionMessage, { kind: 'changes' }>;

/**
 * One partition of a feed with two sources, the topic and storage.
 *
 * Each source is in revision order and complete between two gaps. A message is passed on if it begins at or before the current
 * revision and ends after it; the receiver drops the changes up to that revision. Therefore the sources may repeat each other's
 * changes, lag behind each other and alternate, and the output is still in order and complete.
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

  /** Revision up to which all changes were passed on; undefined before the first message and after a gap. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** Revision up to which the topic continues the passed-on changes; undefined while changes are missing in between. */
  get topicRevision(): Revision | undefined {
    return this.#topicRevision;
  }

  /** Sets the start revision of both sources, unless a source has already delivered a message. */
  beginAt(revision: Revision): void {
    this.#revision ??= revision;
  }

  /** Processes a message of the topic. While storage is followed, it delivers changes that the topic lacks. */
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

  /** Processes changes sent by storage. */
  takeDirect(message: Changes): void {
    // An earlier stream delivers the missing changes.
    if (this.#revision !== undefined && message.after > this.#revision) return;
    this.#pass(message);
  }

  /**
   * Storage continues after a gap at `revision`. With `isSetBack` the store was replaced by an older state: topic messages are
   * ignored until the topic itself reports a gap.
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
