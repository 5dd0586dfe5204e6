import type { Status } from '@binnacle/status-errors';
import type { WatchEncoding, WatchedEvent } from '@binnacle/watch-cache';

/** How events of objects in one kind of bytes look on the wire; `WatchFormats` makes these bytes of the objects of a watch. */
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

/** How a watch looks on the wire. */
export interface WatchFormat {
  readonly contentType: string;
  readonly encoding: WatchEncoding;
  /** The frame of an ERROR event. */
  error(status: Status): Buffer;
  /** Turns the first frames that a client gets into what they are at the beginning; undefined: no different. */
  readonly opening?: (frames: Buffer) => Buffer;
}
