import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expired } from '@binnacle/status-errors';
import type { WatchEnd, WatchSink } from '@binnacle/watch-cache';
import type { WatchFormat } from './watch-format.ts';

/** What a sink writes to, and how. */
export interface SocketSinkOptions {
  readonly response: ServerResponse;
  /** The response's socket: frames carry their own chunk framing and go past the response. */
  readonly socket: Socket;
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

  constructor(options: SocketSinkOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.#bufferBytes = options.bufferBytes;
  }

  get buffered(): number {
    return this.#socket.writableLength;
  }

  write(frames: Buffer): boolean {
    const socket = this.#socket;
    if (!socket.writable) return false;
    // What was held before decides: frames that are larger than the bound make no client slow.
    const held = socket.writableLength;
    socket.write(frames);
    return held <= this.#bufferBytes;
  }

  end(reason: WatchEnd): void {
    const { response, format, expiredMessage, onEnd } = this.#options;
    switch (reason) {
      case 'slow':
        this.#socket.destroy();
        break;
      case 'expired':
        this.write(format.error(expired(expiredMessage()).toStatus()));
        response.end();
        break;
      default:
        // The terminating chunk, after which the connection can be used again.
        if (this.#socket.writable) response.end();
    }
    onEnd(reason);
  }
}
