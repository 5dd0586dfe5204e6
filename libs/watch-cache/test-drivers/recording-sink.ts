import { decodeStored } from '@binnacle/codecs';
import type { WatchEncoding, WatchEnd, WatchSink } from '../contract/contract.ts';

/** One decoded frame. */
interface RecordedFrame {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly revision: number;
  /** `namespace/name`; empty for a bookmark. */
  readonly path: string;
  readonly labels: Record<string, string>;
  /** Whether the frame is a bookmark that closes the initial events. */
  readonly isInitialEnd: boolean;
}

/** An encoding of one JSON line per frame. */
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

/** A test client: it records frames, and buffers them while it is paused. */
export class RecordingSink implements WatchSink {
  readonly frames: RecordedFrame[] = [];
  /** Buffers as they were written. */
  readonly buffers: Buffer[] = [];
  readonly ends: WatchEnd[] = [];
  readonly #bound: number;
  /** While paused, written bytes count as not sent. */
  isPaused = false;
  #buffered = 0;

  constructor(bound = Number.POSITIVE_INFINITY) {
    this.#bound = bound;
  }

  get buffered(): number {
    return this.#buffered;
  }

  /** Sends all buffered bytes. */
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

  /** `ADDED a/x@5 app=web` for each frame, without bookmarks. */
  get detailedEvents(): string[] {
    return this.frames
      .filter(frame => frame.type !== 'BOOKMARK')
      .map(({ type, path, revision, labels }) => `${type} ${path}@${revision} ${labelText(labels)}`);
  }

  /** `ADDED a/x@5` for each frame, without bookmarks. */
  get events(): string[] {
    return this.frames
      .filter(frame => frame.type !== 'BOOKMARK')
      .map(frame => `${frame.type} ${frame.path}@${frame.revision}`);
  }

  get bookmarks(): RecordedFrame[] {
    return this.frames.filter(frame => frame.type === 'BOOKMARK');
  }
}

/** Formats labels as one text. */
export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

function line(frame: RecordedFrame): Buffer {
  return Buffer.from(`${JSON.stringify(frame)}\n`);
}
