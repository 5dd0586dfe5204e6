import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionState } from './connection-metrics.ts';
import { bytesTaken, responseUnderWay } from './socket-internals.ts';

/** What a server waits for from the client of a connection. */
export type Awaited = 'body' | 'answer';

/** How long a client may keep a server waiting without making progress, in ms. */
export interface StallTimeouts {
  /** For more of a request's body. */
  readonly bodyMs: number;
  /** For room for more of the answer. */
  readonly answerMs: number;
}

/** Bytes that count as progress within one timeout: less is a client that drips. */
const progressBytes: Readonly<Record<Awaited, number>> = { body: 1024, answer: 16 * 1024 };

/** A connection that a server has accepted. */
export interface AcceptedConnection {
  readonly tcp: Socket;
  /** Which address it is counted for. */
  readonly address: string;
  /** Bytes that a balancer sent before the client's own. */
  readonly headerBytes: number;
  readonly acceptedAt: number;
}

/** One connection of a server, from the moment that it is accepted. */
export class Connection {
  readonly tcp: Socket;
  readonly address: string;
  readonly acceptedAt: number;
  /** What requests come over; undefined during the TLS handshake. */
  stream: Socket | undefined;
  /** Whether it is being closed, with an answer that says why. */
  isRefused = false;
  /** When it was last seen with a request, or with bytes that had come since it was last looked at. */
  idleSince: number;
  readonly #headerBytes: number;
  #receivedBefore = 0;
  #awaited: Awaited | undefined;
  #waitingSince = 0;
  #movedBefore = 0;

  constructor({ tcp, address, headerBytes, acceptedAt }: AcceptedConnection) {
    this.tcp = tcp;
    this.address = address;
    this.#headerBytes = headerBytes;
    this.acceptedAt = acceptedAt;
    this.idleSince = acceptedAt;
  }

  /** Whether its client has sent nothing. */
  get isSilent(): boolean {
    return this.tcp.bytesRead <= this.#headerBytes;
  }

  get state(): ConnectionState {
    if (this.stream === undefined) return 'handshake';
    return responseUnderWay(this.stream) === undefined ? 'idle' : 'active';
  }

  /** How long it has been without a request and without bytes, in ms; 0 while there is a request. */
  idleMs(now: number): number {
    if (this.state === 'active' || (this.stream?.writableLength ?? 0) > 0) {
      this.idleSince = now;
      return 0;
    }
    const received = this.tcp.bytesRead;
    if (received !== this.#receivedBefore) this.idleSince = now;
    this.#receivedBefore = received;
    return now - this.idleSince;
  }

  /** How long the client has made the server wait without progress, in ms, as far as `stalled` has seen; else 0. */
  waitedMs(now: number): number {
    const isWaiting = this.#awaited !== undefined && this.stream && awaitedOf(this.stream) === this.#awaited;
    return isWaiting ? now - this.#waitingSince : 0;
  }

  /** What the client has made the server wait for longer than it may; looked at from time to time. */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined {
    const awaited = this.stream && awaitedOf(this.stream);
    if (awaited === undefined) {
      this.#awaited = undefined;
      return undefined;
    }
    const moved = awaited === 'body' ? (this.stream?.bytesRead ?? 0) : bytesTaken(this.tcp);
    if (awaited !== this.#awaited || moved - this.#movedBefore >= progressBytes[awaited]) {
      this.#awaited = awaited;
      this.#waitingSince = now;
      this.#movedBefore = moved;
      return undefined;
    }
    const timeoutMs = awaited === 'body' ? timeouts.bodyMs : timeouts.answerMs;
    return now - this.#waitingSince >= timeoutMs ? awaited : undefined;
  }

  destroy(): void {
    this.stream?.destroy();
    this.tcp.destroy();
  }
}

function awaitedOf(stream: Socket): Awaited | undefined {
  if (stream.writableLength > 0) return 'answer';
  const response = responseUnderWay(stream);
  return response !== undefined && isBodyAwaited(response.req) ? 'body' : undefined;
}

/** Not while the server itself does not take what came. */
function isBodyAwaited({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return !complete && readableLength < readableHighWaterMark;
}
