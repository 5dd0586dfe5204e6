import { expired, internalError, StatusError } from '@binnacle/status-errors';
import type { WatchEnd, WatchSink } from '@binnacle/watch-cache';
import type { FrameOutlet } from '../request/http-messages.ts';
import type { WatchFormat } from './watch-format.ts';

/** Options of a sink: its outlet, and its bounds. */
interface OutletSinkOptions {
  /** The outlet that frames, with their own framing, are written to. */
  readonly outlet: FrameOutlet;
  /** Ends the output as the transport requires: with a last chunk, or a close frame. */
  readonly finish: (reason: WatchEnd) => void;
  readonly format: WatchFormat;
  /** Most waiting bytes: a client with more of them when the next frames come is slow. */
  readonly watchBufferBytes: number;
  /** The message of an expired start, with the version that the client named. */
  readonly expiredMessage: () => string;
  /** Called once, when the watch has ended. */
  readonly onEnd: (reason: WatchEnd) => void;
}

/** Writes a watcher's frames to its client: straight to the socket or stream, with a limit on the bytes that wait there. */
export class OutletSink implements WatchSink {
  readonly #options: OutletSinkOptions;
  readonly #outlet: FrameOutlet;
  readonly #watchBufferBytes: number;
  /** The opening of the first frames; undefined once they are written, and for forms without one. */
  #opening: WatchFormat['opening'];

  constructor(options: OutletSinkOptions) {
    this.#options = options;
    this.#outlet = options.outlet;
    this.#watchBufferBytes = options.watchBufferBytes;
    this.#opening = options.format.opening;
  }

  get buffered(): number {
    return this.#outlet.writableLength;
  }

  write(frames: Buffer): boolean {
    const outlet = this.#outlet;
    if (!outlet.writable) return false;
    // The bytes that waited before decide: frames larger than the limit do not make a client slow.
    const held = outlet.writableLength;
    outlet.write(this.#opening === undefined ? frames : this.#open(frames, this.#opening));
    return held <= this.#watchBufferBytes;
  }

  end(reason: WatchEnd, failure?: unknown): void {
    const { format, expiredMessage, finish, onEnd } = this.#options;
    if (reason === 'slow') {
      this.#outlet.destroy();
    } else {
      if (reason === 'expired') this.write(format.error(expired(expiredMessage()).toStatus()));
      if (reason === 'failed') this.write(format.error(statusErrorFromFailure(failure).toStatus()));
      if (this.#outlet.writable) finish(reason);
    }
    onEnd(reason);
  }

  #open(frames: Buffer, opening: (frames: Buffer) => Buffer): Buffer {
    this.#opening = undefined;
    return opening(frames);
  }
}

function statusErrorFromFailure(failure: unknown): StatusError {
  return failure instanceof StatusError
    ? failure
    : internalError('an object could not be prepared for the watch', failure);
}
