import type { Status } from '@binnacle/status-errors';
import type { WatchEncoding, WatchedEvent } from '@binnacle/watch-cache';

/** The encoding of events from one kind of object bytes, which `WatchFormats` makes of the objects of a watch. */
export interface EventFormat<Bytes extends Buffer> {
  readonly contentType: string;
  /** Equal for formats that give equal bytes. */
  readonly id: string;
  /** One frame, of an object at the revision of its change. */
  event(type: WatchedEvent['type'], bytes: Bytes, revision: number): Buffer;
  bookmark(revision: number, initialEventsEnd: boolean): Buffer;
  /** The frame of an ERROR event. */
  error(status: Status): Buffer;
  /** Turns the first frames that a client gets into what they are at the beginning; undefined: no different. */
  readonly opening?: (frames: Buffer) => Buffer;
}

/** The encoding of a watch. */
export interface WatchFormat {
  readonly contentType: string;
  readonly encoding: WatchEncoding;
  /** The frame of an ERROR event. */
  error(status: Status): Buffer;
  /** Turns the first frames that a client gets into what they are at the beginning; undefined: no different. */
  readonly opening?: (frames: Buffer) => Buffer;
}
