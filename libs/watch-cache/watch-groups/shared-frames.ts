import type { Revision } from '@binnacle/storage-contract';
import type { WatchEncoding, WatchedEvent } from '../contract/contract.ts';

const largestMemory = 256;

/**
 * Frames shared by groups with the same encoding and different queries: frames of the current change, and the bookmark at the
 * current revision.
 */
export class SharedFrames {
  readonly #frames = {
    ADDED: new Map<string, Buffer>(),
    MODIFIED: new Map<string, Buffer>(),
    DELETED: new Map<string, Buffer>(),
  };
  readonly #bookmarks = new Map<string, Buffer>();
  #bookmarkRevision: Revision = -1;

  /** Starts the next change: drops the frames of the previous one. */
  next(): void {
    if (this.#frames.ADDED.size > 0) this.#frames.ADDED.clear();
    if (this.#frames.MODIFIED.size > 0) this.#frames.MODIFIED.clear();
    if (this.#frames.DELETED.size > 0) this.#frames.DELETED.clear();
  }

  /** Returns the frame of the current change as one event type; within one change an event type always shows the same object. */
  event(encoding: WatchEncoding, event: WatchedEvent): Buffer {
    const frames = this.#frames[event.type];
    const known = frames.get(encoding.id);
    if (known !== undefined) return known;
    const frame = encoding.event(event);
    frames.set(encoding.id, frame);
    return frame;
  }

  /** Returns a bookmark at a revision. */
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
