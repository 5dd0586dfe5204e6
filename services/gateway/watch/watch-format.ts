import type { Status } from '@binnacle/status-errors';
import type { WatchEncoding } from '@binnacle/watch-cache';

/** How a watch looks on the wire. */
export interface WatchFormat {
  readonly contentType: string;
  readonly encoding: WatchEncoding;
  /** The frame of an ERROR event, chunk framing included. */
  error(status: Status): Buffer;
}
