import type { CallFrame } from '@binnacle/proto';
import { maxBatchBytes, maxBatchFrames, maxFramePayload, maxUnflushedBytes } from './limits.ts';

/** The writing half of a gRPC stream of frames. */
interface FrameSink {
  /** False once the stream has ended. */
  readonly writable: boolean;
  write(frames: readonly CallFrame[], flushed: () => void): boolean;
}

interface Sending {
  readonly frame: CallFrame;
  offset: number;
  readonly sent: (() => void) | undefined;
}

/**
 * Writes frames with backpressure: above 1 MiB of unflushed bytes, frames wait in a queue.
 *
 * Frames that are sent in one turn of the event loop are written as one gRPC message, because a message costs more than
 * its content; no timer delays them. A payload longer than one frame is sent in pieces that alternate with the other
 * queued frames.
 */
export class FrameWriter {
  readonly #sink: FrameSink;
  readonly #onRelief: () => void;
  #queue: Sending[] = [];
  #batch: CallFrame[] = [];
  #batchSent: (() => void)[] = [];
  #batchBytes = 0;
  #isFlushDue = false;
  #unflushed = 0;
  #queued = 0;

  constructor(sink: FrameSink, onRelief: () => void = () => {}) {
    this.#sink = sink;
    this.#onRelief = onRelief;
  }

  /** Payload bytes in the queue. */
  get queuedBytes(): number {
    return this.#queued;
  }

  /** Sends a frame, in pieces if its payload is too long; calls `sent` when the last piece is handed to the transport. */
  send(frame: CallFrame, sent?: () => void): void {
    if (
      this.#queue.length === 0 &&
      this.#unflushed < maxUnflushedBytes &&
      frame.payload.length <= maxFramePayload
    ) {
      this.#write(frame, sent);
      return;
    }
    this.#queue.push({ frame, offset: 0, sent });
    this.#queued += frame.payload.length;
    this.#pump();
  }

  /** Drops the queued frames of an abandoned call; the peer must know that the call has ended, or receive CANCEL. */
  forget(id: number): void {
    if (this.#queue.length === 0) return;
    const dropped = this.#queue.filter(sending => sending.frame.id === id);
    if (dropped.length === 0) return;
    this.#queue = this.#queue.filter(sending => sending.frame.id !== id);
    for (const { frame, offset, sent } of dropped) {
      this.#queued -= frame.payload.length - offset;
      sent?.();
    }
  }

  /** Drops all queued and batched frames, after the stream has closed. */
  clear(): void {
    this.#queue = [];
    this.#queued = 0;
    this.#batch = [];
    this.#batchSent = [];
    this.#batchBytes = 0;
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#unflushed < maxUnflushedBytes) {
      const sending = this.#queue.shift();
      if (sending) this.#sendPiece(sending);
    }
  }

  #sendPiece(sending: Sending): void {
    const { frame, offset } = sending;
    const end = Math.min(offset + maxFramePayload, frame.payload.length);
    const more = end < frame.payload.length;
    const piece = frame.payload.subarray(offset, end);
    this.#queued -= piece.length;
    this.#write(
      offset === 0
        ? { ...frame, payload: piece, more }
        : { ...emptyFrame, type: frame.type, id: frame.id, payload: piece, more },
      more ? undefined : sending.sent,
    );
    sending.offset = end;
    if (more) this.#queue.push(sending);
  }

  #write(frame: CallFrame, sent: (() => void) | undefined): void {
    const size = frame.payload.length + frameOverhead;
    if (this.#batchBytes + size > maxBatchBytes || this.#batch.length === maxBatchFrames) this.#flush();
    if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      // Runs after all I/O callbacks of this turn, when the batch is as full as it gets.
      setImmediate(this.#flushTurn);
    }
    this.#batch.push(frame);
    this.#batchBytes += size;
    this.#unflushed += size;
    if (sent) this.#batchSent.push(sent);
  }

  readonly #flushTurn = (): void => {
    this.#isFlushDue = false;
    this.#flush();
  };

  #flush(): void {
    if (this.#batch.length === 0) return;
    if (!this.#sink.writable) {
      this.clear();
      return;
    }
    const [frames, size, sent] = [this.#batch, this.#batchBytes, this.#batchSent];
    this.#batch = [];
    this.#batchBytes = 0;
    this.#batchSent = [];
    this.#sink.write(frames, () => {
      this.#unflushed -= size;
      if (this.#queue.length > 0) this.#pump();
      this.#onRelief();
    });
    for (const notify of sent) notify();
  }
}

/** Bytes of memory that a frame costs besides its payload, as an estimate. */
const frameOverhead = 128;

/** A frame with default values, the base of other frames. */
export const emptyFrame: CallFrame = {
  type: 'REQUEST',
  id: 0,
  method: '',
  timeoutMs: 0,
  traceparent: '',
  payload: Buffer.alloc(0),
  more: false,
};
