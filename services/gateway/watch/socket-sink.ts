import type { Socket } from 'node:net';
import { expired, internalError, StatusError } from '@binnacle/status-errors';
import type { WatchEnd, WatchSink } from '@binnacle/watch-cache';
import type { WatchFormat } from './watch-format.ts';

/** What a sink writes to, and how. */
export interface SocketSinkOptions {
  /** Frames carry their own framing and go straight to it. */
  readonly socket: Socket;
  /** Ends what was written in the way of the connection: a last chunk, or a close frame. */
  readonly finish: (reason: WatchEnd) => void;
  readonly format: WatchFormat;
  /** A client that has more bytes than these still to take when the next frames come is slow. */
  readonly bufferBytes: number;
  /** Says what the client asked for, when that is gone from history. */
  readonly expiredMessage: () => string;
  /** Called once, when the watch has ended. */
  readonly onEnd: (reason: WatchEnd) => void;
}

/** The way of a watcher's frames to its client: straight to the socket, bounded by what the socket holds. */
export class SocketSink implements WatchSink {
  readonly #options: SocketSinkOptions;
  readonly #socket: Socket;
  readonly #bufferBytes: number;
  /** What becomes of the first frames; undefined once they are written, and for forms that begin like they go on. */
  #opening: WatchFormat['opening'];

  constructor(options: SocketSinkOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.#bufferBytes = options.bufferBytes;
    this.#opening = options.format.opening;
  }

  get buffered(): number {
    return this.#socket.writableLength;
  }

  write(frames: Buffer): boolean {
    const socket = this.#socket;
    if (!socket.writable) return false;
    // What was held before decides: frames that are larger than the bound make no client slow.
    const held = socket.writableLength;
    socket.write(this.#opening === undefined ? frames : this.#open(frames, this.#opening));
    return held <= this.#bufferBytes;
  }

  end(reason: WatchEnd, failure?: unknown): void {
    const { format, expiredMessage, finish, onEnd } = this.#options;
    if (reason === 'slow') {
      this.#socket.destroy();
    } else {
      if (reason === 'expired') this.write(format.error(expired(expiredMessage()).toStatus()));
      if (reason === 'failed') this.write(format.error(statusErrorOf(failure).toStatus()));
      if (this.#socket.writable) finish(reason);
    }
    onEnd(reason);
  }

  #open(frames: Buffer, opening: (frames: Buffer) => Buffer): Buffer {
    this.#opening = undefined;
    return opening(frames);
  }
}

function statusErrorOf(failure: unknown): StatusError {
  return failure instanceof StatusError
    ? failure
    : internalError('an object could not be made ready for the watch', failure);
}
