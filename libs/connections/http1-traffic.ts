import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionTraffic } from './connection-traffic.ts';
import { bytesTaken, responseUnderWay } from './sockets/socket-internals.ts';
import { type Awaited, StallClock, type StallTimeouts } from './stall-clock.ts';

/** The traffic of an HTTP/1.1 connection, which has one request at a time; read from the state that Node keeps on the socket. */
export class Http1Traffic implements ConnectionTraffic {
  readonly #stream: Socket;
  readonly #tcp: Socket;
  readonly #clock = new StallClock();

  /** `tcp` is the socket below `stream`, or `stream` itself. */
  constructor(stream: Socket, tcp: Socket) {
    this.#stream = stream;
    this.#tcp = tcp;
  }

  get isActive(): boolean {
    return responseUnderWay(this.#stream) !== undefined;
  }

  get isSending(): boolean {
    return this.#stream.writableLength > 0;
  }

  waitedMs(now: number): number {
    return this.#clock.waitedMs(findAwaited(this.#stream), now);
  }

  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined {
    const awaited = findAwaited(this.#stream);
    if (awaited === undefined) return this.#clock.stalled(undefined, now, timeouts);
    const movedBytes = awaited === 'body' ? this.#stream.bytesRead : bytesTaken(this.#tcp);
    return this.#clock.stalled({ awaited, movedBytes }, now, timeouts);
  }
}

function findAwaited(stream: Socket): Awaited | undefined {
  if (stream.writableLength > 0) return 'answer';
  const response = responseUnderWay(stream);
  return response !== undefined && isBodyAwaited(response.req) ? 'body' : undefined;
}

/** False while the server itself does not read the received body. */
function isBodyAwaited({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return !complete && readableLength < readableHighWaterMark;
}
