import type { Revision } from '@binnacle/storage-contract';
import type { WatchEncoding, WatchedEvent } from '../contract/contract.ts';

const largestMemory = 256;

/**
 * Frames that groups with the same encoding share although they ask for different objects: those of the change that
 * is on its way now, and the bookmark at the current revision.
 */
export class SharedFrames {
  readonly #frames = {
    ADDED: new Map<string, Buffer>(),
    MODIFIED: new Map<string, Buffer>(),
    DELETED: new Map<string, Buffer>(),
  };
  readonly #bookmarks = new Map<string, Buffer>();
  #bookmarkRevision: Revision = -1;

  /** Begins another change: frames of the one before are let go. */
  next(): void {
    if (this.#frames.ADDED.size > 0) this.#frames.ADDED.clear();
    if (this.#frames.MODIFIED.size > 0) this.#frames.MODIFIED.clear();
    if (this.#frames.DELETED.size > 0) this.#frames.DELETED.clear();
  }

  /** The frame of the current change as one kind of event; of one change, each kind always shows the same object. */
  event(encoding: WatchEncoding, event: WatchedEvent): Buffer {
    const frames = this.#frames[event.type];
    const known = frames.get(encoding.id);
    if (known !== undefined) return known;
    const frame = encoding.event(event);
    frames.set(encoding.id, frame);
    return frame;
  }

  /** A bookmark at a revision. */
  bookmark(encoding: WatchEncoding, revision: Revision): Buffer {
    if (this.#bookmarkRevision !== revision || this.#bookmarks.size >= largestMemory) {
      this.#bookmarks.clear();
      this.#bookmarkRevision = revision;
    }
    const known = this.#bookmarks.get(encoding.id);
    if (known !== undefined) return known;
    const frame = encoding.bookmark(revision, false);
    this.#bookmarks.set(encoding.id, frame);
    return frame;
  }
}
