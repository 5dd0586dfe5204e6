import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { type Awaited, StallClock, type StallTimeouts, type Waiting } from '@binnacle/connections';
import type { StatusError } from '@binnacle/status-errors';
import { clientError } from '../../request/client-error.ts';
import type { FrameOutlet, HttpResponse } from '../../request/http-messages.ts';
import type { FrameBatches, HeldFrames } from './frame-batches.ts';
import type { Http2Request } from './http2-request.ts';

/** Bytes of a body that a client may send ahead of what the server takes. */
export const windowBytes = 65_535;

/** Frames of one watch that wait for others: more are written at once. */
const heldBytes = 64 * 1024;

/** Called when bytes are sent, or with the error that prevented it. */
export type Written = (error?: Error | null) => void;

/** The bounds of a connection on its streams. */
interface StreamOwner {
  /** Decides when frames of watches are written. */
  readonly batches: FrameBatches;
  /** Counts the bytes of written frames of a watch. */
  wrote(bytes: number): void;
}

/** A stream of HTTP/2 that a request came over: its output, and the time that its client makes it wait. */
export class ServedStream implements FrameOutlet, HeldFrames {
  readonly #stream: ServerHttp2Stream;
  readonly #owner: StreamOwner;
  readonly #headBytes: number;
  readonly #clock = new StallClock();
  #request: Http2Request | undefined;
  #response: HttpResponse | undefined;
  #written = 0;
  #isWatch = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isRefused = false;

  constructor(stream: ServerHttp2Stream, owner: StreamOwner, headBytes: number) {
    this.#stream = stream;
    this.#owner = owner;
    this.#headBytes = headBytes;
  }

  /** Sets the request and response of the stream. */
  serves(request: Http2Request, response: HttpResponse): void {
    this.#request = request;
    this.#response = response;
  }

  get writable(): boolean {
    return this.#stream.writable;
  }

  get writableLength(): number {
    return this.#stream.writableLength + this.#heldBytes;
  }

  /** Bytes of the request's headers, and those of its answer that the client does not take. */
  get heldBytes(): number {
    return this.#headBytes + (this.#isWatch ? 0 : this.writableLength);
  }

  /** Bytes of a watch that wait for the client; those of other answers are bounded where they are made. */
  get watchedLength(): number {
    return this.#isWatch && !this.#isOver ? this.writableLength : 0;
  }

  respond(headers: OutgoingHttpHeaders): void {
    if (!this.#isOver) this.#stream.respond(headers);
  }

  /** Frames of a watch, without `callback`; or a part of an answer. */
  write(bytes: Buffer, callback?: Written): void {
    // The answer to a HEAD has no body.
    if (this.#stream.writableEnded) {
      callback?.();
      return;
    }
    if (callback !== undefined) {
      this.#written += bytes.length;
      this.#stream.write(bytes, callback);
      return;
    }
    this.#isWatch = true;
    this.#hold(bytes);
    this.#owner.wrote(bytes.length);
  }

  /** Writes the frames that were held. */
  flush(): void {
    const held = this.#held;
    if (held.length === 0) return;
    const bytes = this.#owner.batches.join(held);
    this.#held = [];
    this.#heldBytes = 0;
    if (!this.#stream.writable) return;
    this.#written += bytes.length;
    this.#stream.write(bytes);
    this.#owner.batches.wrote();
  }

  #hold(frames: Buffer): void {
    const { batches } = this.#owner;
    this.#held.push(frames);
    this.#heldBytes += frames.length;
    if (!batches.isThrottled || this.#heldBytes >= heldBytes) this.flush();
    else if (this.#held.length === 1) batches.wait(this);
  }

  /** Ends the answer, with its last bytes. */
  end(bytes: Buffer | undefined, callback: Written): void {
    if (this.#stream.writableEnded) {
      callback();
      return;
    }
    this.flush();
    this.#written += bytes?.length ?? 0;
    const stream = this.#stream;
    if (stream.readable || stream.destroyed) {
      stream.end(bytes, callback);
      return;
    }
    // Once the request was read, Node destroys the stream as its last frame goes, and would fail `callback` for that.
    stream.end(bytes);
    stream.prependOnceListener('close', () =>
      callback(this.isWhole ? null : new Error('the answer breaks off')),
    );
  }

  /** Whether the stream closed after all of the answer went. */
  get isWhole(): boolean {
    const { closed, writableEnded, rstCode } = this.#stream;
    return closed && writableEnded && rstCode === constants.NGHTTP2_NO_ERROR;
  }

  /** The answer is complete: what still comes of the request is of no use. */
  finished(): void {
    if (this.#request?.complete === false) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  /** Answers a request whose body does not come, unless its answer has begun. */
  refuseBody(): void {
    if (this.#stream.headersSent) this.destroy();
    else this.refuse(clientError('ERR_HTTP_REQUEST_TIMEOUT'));
  }

  /** Answers in place of the response, which ends with that. */
  refuse(error: StatusError): void {
    const body = Buffer.from(JSON.stringify(error.toStatus()));
    const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
    this.respond({ ':status': error.code, ...headers, 'content-length': body.length });
    this.#isRefused = true;
    this.#response?.destroy();
    this.end(body, () => this.finished());
  }

  destroy(): void {
    // Not closed: that would end the answer as if it were whole before it resets the stream.
    if (!this.#isOver) this.#stream.destroy(new Error('the answer breaks off'));
  }

  /** The response breaks off. */
  abandon(): void {
    if (!this.#isRefused) this.destroy();
  }

  /**
   * The time without progress for which the client has made this stream wait, in ms, as of the last call of `stalled`;
   * else 0.
   */
  waitedMs(now: number): number {
    return this.#clock.waitedMs(this.#waiting()?.awaited, now);
  }

  /** The side, body or answer, on which the client has made this stream wait longer than it may. */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined {
    return this.#clock.stalled(this.#waiting(), now, timeouts);
  }

  get #isOver(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  #waiting(): Waiting | undefined {
    if (this.#isOver) return undefined;
    const { writableLength } = this.#stream;
    if (writableLength > 0) return { awaited: 'answer', movedBytes: this.#written - writableLength };
    const request = this.#request;
    // Not while the server itself has bytes that it has not read.
    if (request === undefined || request.hasArrived || request.untakenBytes >= windowBytes) return undefined;
    return { awaited: 'body', movedBytes: request.receivedBytes };
  }
}
