import { decodeStored } from '@binnacle/codecs';
import type { WatchEncoding, WatchEnd, WatchSink } from '../contract/contract.ts';

/** One frame as a test reads it back. */
interface RecordedFrame {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly revision: number;
  /** `namespace/name`; empty for a bookmark. */
  readonly path: string;
  readonly labels: Record<string, string>;
  /** A bookmark that closes the initial part. */
  readonly isInitialEnd: boolean;
}

/** An encoding of one JSON line a frame. */
export function lineEncoding(id = 'lines'): WatchEncoding {
  return {
    id,
    event({ type, object, revision }) {
      const { labels = {} } = decodeStored(object.stored, revision).metadata;
      const path = `${object.namespace}/${object.name}`;
      return line({ type, revision, path, labels, isInitialEnd: false });
    },
    bookmark: (revision, isInitialEnd) =>
      line({ type: 'BOOKMARK', revision, path: '', labels: {}, isInitialEnd }),
  };
}

/** A client of a test: it keeps what it is given, and holds it back while it is paused. */
export class RecordingSink implements WatchSink {
  readonly frames: RecordedFrame[] = [];
  /** The buffers as they were written. */
  readonly buffers: Buffer[] = [];
  readonly ends: WatchEnd[] = [];
  readonly #bound: number;
  /** While paused, bytes are counted as not gone out. */
  isPaused = false;
  #buffered = 0;

  constructor(bound = Number.POSITIVE_INFINITY) {
    this.#bound = bound;
  }

  get buffered(): number {
    return this.#buffered;
  }

  /** Lets everything out. */
  drain(): void {
    this.#buffered = 0;
  }

  write(frames: Buffer): boolean {
    if (this.ends.length > 0) throw new Error('written after the end');
    this.buffers.push(frames);
    for (const text of frames.toString().split('\n')) {
      if (text !== '') this.frames.push(JSON.parse(text) as RecordedFrame); // Written by lineEncoding.
    }
    if (this.isPaused) this.#buffered += frames.length;
    return this.#buffered <= this.#bound;
  }

  end(reason: WatchEnd): void {
    this.ends.push(reason);
  }

  /** `ADDED a/x@5 app=web` for each frame, bookmarks left out. */
  get detailedEvents(): string[] {
    return this.frames
      .filter(frame => frame.type !== 'BOOKMARK')
      .map(({ type, path, revision, labels }) => `${type} ${path}@${revision} ${labelText(labels)}`);
  }

  /** `ADDED a/x@5` for each frame, bookmarks left out. */
  get events(): string[] {
    return this.frames
      .filter(frame => frame.type !== 'BOOKMARK')
      .map(frame => `${frame.type} ${frame.path}@${frame.revision}`);
  }

  get bookmarks(): RecordedFrame[] {
    return this.frames.filter(frame => frame.type === 'BOOKMARK');
  }
}

/** Labels as one text. */
export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

function line(frame: RecordedFrame): Buffer {
  return Buffer.from(`${JSON.stringify(frame)}\n`);
}
