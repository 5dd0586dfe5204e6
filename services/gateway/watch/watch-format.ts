import type { Status } from '@binnacle/status-errors';
import type { WatchEncoding } from '@binnacle/watch-cache';

/** How a watch looks on the wire. */
export interface WatchFormat {
  readonly contentType: string;
  readonly encoding: WatchEncoding;
  /** The frame of an ERROR event. */
  error(status: Status): Buffer;
  /** Turns the first frames that a client gets into what they are at the beginning; undefined: no different. */
  readonly opening?: (frames: Buffer) => Buffer;
}
